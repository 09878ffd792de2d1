import { totpCode } from '@frontdesk/test-kit/totp'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { codeClient, codeQuery } from './code-flow.js'
import { formTokenOf, type Browser } from './helper.js'
import { readMail, startMailServer } from './mail-server.js'
import { prepareSecondStep } from './second-step.js'

/** An app that requires a factor, Ann with a verified address, and a mail server. */
export async function prepareEnrolling (t: Test) {
  const { mails, received, env } = await startMailServer(t)
  const prepared = await prepareSecondStep(t, env)
  await prepared.stores.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  await prepared.stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const mailOf = async (index: number) => readMail(await received(index + 1)).text
  /** Presses a button of a page, with the consent page's address unless there is another. */
  const press = async (
    browser: Browser, page: LightMyRequestResponse, decision: string,
    { at = `/consent?${codeQuery()}`, ...fields }: Record<string, string> = {}
  ) => await browser.post(at, { transaction: formTokenOf(page), decision, ...fields })
  return {
    ...prepared,
    mails,
    mailOf,
    /** The code in an email, counted from 0. */
    codeIn: async (index: number) => /: (\d{8})/.exec(await mailOf(index))?.[1] ?? 'none',
    press
  }
}

/** The fields that confirm the authenticator app of a set-up page. */
export function confirmationOf ({ body }: LightMyRequestResponse): { app: string, code: string } {
  const secret = /<code class="key">([A-Z2-7 ]+)</.exec(body)?.[1]?.replaceAll(' ', '') ?? ''
  return { app: /name="app" value="([^"]+)"/.exec(body)?.[1] ?? '', code: totpCode(secret) }
}
