import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { Browser, build, formTokenOf } from './helper.js'
import { readMail, startMailServer, type MailServer } from './mail-server.js'

/** The code in an email. */
export function codeIn (mail: Parameters<typeof readMail>[0]): string {
  return /: (\d{8})/.exec(readMail(mail).text)?.[1] ?? 'none'
}

/** The page that requests a mailed code. */
interface Asked extends Pick<MailServer, 'received'> {
  readonly browser: Browser
  readonly path: string
  readonly page: LightMyRequestResponse
  /** How many emails were sent with this one. */
  readonly count?: number
}

/** Enters the code of the first email. */
export async function enterMailedCode (
  { browser, path, page, received, count = 1 }: Asked, fields: Record<string, string> = {}
): Promise<LightMyRequestResponse> {
  return await browser.post(path, { transaction: formTokenOf(page), decision: 'enter-code', code: codeIn(await received(count)), ...fields })
}

/** Ann at the account page, with a mail server and a verified address. */
export async function prepareMailed (t: Test, env: Record<string, string> = {}) {
  const server = await startMailServer(t)
  const built = await build(t, { ...server.env, ...env })
  const { stores } = built
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const browser = new Browser(built.app)
  const signIn = async (it: Browser) => await it.post('/account', {
    transaction: formTokenOf(await it.get('/account')), decision: 'sign-in', username: 'ann', password: 'correct horse'
  })
  await signIn(browser)
  /** Presses a button of a page of the account area. */
  const press = async (path: string, decision: string, form: Record<string, string> = {}, page?: LightMyRequestResponse) =>
    await browser.post(path, { transaction: formTokenOf(page ?? await browser.get(path)), decision, ...form })
  return { ...built, ...server, browser, signIn, press, ann: async () => (await stores.users.find('ann'))! }
}
