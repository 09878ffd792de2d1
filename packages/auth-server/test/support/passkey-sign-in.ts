import type { Passkey, Used } from '@frontdesk/test-kit/passkey'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { challengeOf } from '../../src/factors/relying-party.js'
import { codeQuery } from './code-flow.js'
import { addPasskey } from './factors.js'
import { formTokenOf, type Browser } from './helper.js'
import { prepareSecondStep } from './second-step.js'

type Signer = Pick<Passkey, 'use'>

/** The passkey, and changes of what it signs. */
type Changes = Partial<Used> & { by?: Signer }

/** An OpenID Connect request of the app. */
export const SEARCH = codeQuery({ scope: 'openid customer:read' })

/** An app of the code grant, and Ann with a passkey. */
export async function preparePasskeySignIn (t: Test, env: Record<string, string> = {}) {
  const prepared = await prepareSecondStep(t, env)
  const passkey = await addPasskey(prepared.stores, await prepared.ann())
  /** Signs in on a page that is open. */
  const answer = async (browser: Browser, page: LightMyRequestResponse, { by = passkey, ...signed }: Changes = {}) =>
    await browser.post(`/consent?${SEARCH}`, { ...signedForm(page, by, signed), decision: 'allow' })
  return {
    ...prepared,
    passkey,
    answer,
    /** Opens the page of the app and signs in. */
    enterPasskey: async (browser: Browser, changes: Changes = {}) =>
      await answer(browser, await browser.get(`/consent?${SEARCH}`), changes)
  }
}

/** The fields of a page's form with a passkey's response. */
export function signedForm (page: LightMyRequestResponse, passkey: Signer, signed: Partial<Used> = {}): Record<string, string> {
  const transaction = formTokenOf(page)
  return { transaction, passkey: passkey.use({ challenge: challengeOf(transaction), ...signed }) }
}
