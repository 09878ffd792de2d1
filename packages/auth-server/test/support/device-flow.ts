import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { form, post } from './code-flow.js'
import { client, formTokenOf, type Browser } from './helper.js'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** A public client of the device grant with refresh tokens, with any changes. */
export const deviceClient = (changes: Partial<NewClient> = {}): NewClient =>
  client({ id: 'tv', name: 'A television', callbacks: [], implicit: 'off', grantTypes: [DEVICE_CODE, 'refresh_token'], ...changes })

/** The codes that a device gets (RFC 8628 §3.2). */
export interface Codes { device_code: string, user_code: string, verification_uri: string, verification_uri_complete: string }

/** Asks for codes, with any changes of the form. */
export async function askForCodes (app: FastifyInstance, changes: Record<string, string | undefined> = {}): Promise<Codes> {
  return (await post(app, '/device_authorization', form({ client_id: 'tv', ...changes }))).json()
}

/** Asks for tokens, with any changes of the form. */
export async function poll (
  app: FastifyInstance,
  code: string,
  changes: Record<string, string | undefined> = {}
): Promise<LightMyRequestResponse> {
  return await post(app, '/token', form({ grant_type: DEVICE_CODE, client_id: 'tv', device_code: code, ...changes }))
}

/** Opens the page, types a code and presses Continue. */
export async function enter (browser: Browser, userCode: string): Promise<LightMyRequestResponse> {
  const transaction = formTokenOf(await browser.get('/device'))
  return await browser.post('/device', { transaction, user_code: userCode, decision: 'continue' })
}

/** Decides on the consent page of a code, and follows to the page after it; Ann signs in unless the browser has a session. */
export async function decide (
  browser: Browser,
  userCode: string,
  decision: string,
  page?: LightMyRequestResponse
): Promise<LightMyRequestResponse> {
  const shown = page ?? await enter(browser, userCode)
  const credentials = shown.body.includes('name="password"') ? { username: 'ann', password: 'correct horse' } : {}
  const response = await browser.post('/device', { transaction: formTokenOf(shown), user_code: userCode, decision, ...credentials })
  if (response.statusCode === 303) await browser.get('/device')
  return response
}
