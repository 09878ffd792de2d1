import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PageState } from '../../consent/form-token.js'
import type { Message } from '../../languages/translator.js'
import { pageScript } from '../page-script.js'
import type { StepForm } from './step-form.js'
import { issuePageToken } from '../visit.js'

interface Page {
  readonly formKeys: FormKeys
  readonly form: StepForm
  /** State of its form token. */
  readonly state: PageState
}

/** Shows a page with the form of a step. */
export async function showStep (
  reply: FastifyReply,
  { formKeys, form: { query, leadsOutside = false, link: _, ...form }, state }: Page,
  { view, ...content }: Readonly<Record<string, unknown>> & { readonly view: string, readonly title: Message }
): Promise<FastifyReply> {
  const transaction = issuePageToken(reply, formKeys, query, state)
  return await reply.page(view, { ...form, transaction, ...content }, { script: pageScript, leadsOutside })
}
