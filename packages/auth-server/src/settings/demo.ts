import { text } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Settings of the demo user, for development. */
export const demoSettings = {
  DEMO_CALLBACK: Type.Optional(text(
    'Development only: registers the desk with this callback, and creates the demo user.', 'be an address'
  )),
  DEMO_DOCS_CALLBACK: Type.Optional(text(
    'Development only: creates the app for customer-service\'s API reference with this callback, and the demo user.', 'be an address'
  ))
}

export interface DemoConfig {
  readonly demoCallback: string | undefined
  readonly demoDocsCallback: string | undefined
}

export function readDemo ({ DEMO_CALLBACK, DEMO_DOCS_CALLBACK }: Static<TObject<typeof demoSettings>>): DemoConfig {
  return { demoCallback: DEMO_CALLBACK, demoDocsCallback: DEMO_DOCS_CALLBACK }
}
