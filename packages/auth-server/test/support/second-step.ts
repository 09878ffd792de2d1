import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { loadConfig } from '../../src/config.js'
import { codeClient, codeQuery } from './code-flow.js'
import { addAuthenticator } from './factors.js'
import { Browser, build, formTokenOf } from './helper.js'

/** An app of the code grant, and Ann, who can turn on two-step sign-in. */
export async function prepareSecondStep (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, env)
  const { app, stores } = built
  await stores.clients.put(codeClient())
  const ann = async () => (await stores.users.find('ann'))!
  return {
    ...built,
    ann,
    /** Turns on two-step sign-in. */
    enroll: async () => await addAuthenticator(stores, loadConfig({}), await ann()),
    /** Submits the password. Without a session, the response requests the code. */
    enterPassword: async (browser: Browser, search = codeQuery()) => await browser.allow(search),
    /** Submits a code on the page that requested it. */
    async enterCode (browser: Browser, page: LightMyRequestResponse, code: string, more: Record<string, string> = {}) {
      const { search = codeQuery(), ...fields } = more
      return await browser.post(`/consent?${search}`, { transaction: formTokenOf(page), decision: 'allow', code, ...fields })
    },
    open: (address?: string) => new Browser(app, address)
  }
}

/** Whether a page requests a code. */
export function requestsCode ({ body }: LightMyRequestResponse): boolean {
  return body.includes('name="code"') && !body.includes('name="password"')
}
