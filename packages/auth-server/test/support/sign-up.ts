import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import { Browser, build, formTokenOf } from './helper.js'
import { readMail, startMailServer, type ReceivedMail } from './mail-server.js'

/** What people type to create an account. */
export const ACCOUNT = { username: 'ivy', name: 'Ivy Example', new_password: 'battery staple' }

/** The path of the link in an email. */
export const linkIn = (mail?: ReceivedMail) => /https:\/\/id\.example(\/create-account\?link=\S+)/.exec(readMail(mail!).text)?.[1] ?? 'none'

/** A server on which people can sign up, and its mail server. */
export async function beginSignUp (t: Test, env: Record<string, string> = {}) {
  const server = await startMailServer(t)
  const built = await build(t, { ...server.env, SIGN_UP: 'open', ...env })
  const { app, stores } = built
  let sources = 0
  /** Requests a link, from another source each time unless a browser is given. */
  const request = async (email: string, { browser = new Browser(app, `198.51.100.${++sources}`), search = '', code = '' } = {}) =>
    await browser.post(`/sign-up${search}`, { transaction: formTokenOf(await browser.get(`/sign-up${search}`)), email, code })
  /** What became of the requests, once as many have ended: all answers come before. */
  const outcomes = async (count: number): Promise<string[]> => {
    for (;;) {
      await setImmediate()
      await app.auditTrail.flush()
      const rows = await stores.audit.list({ event: 'mail' }, 500)
      if (rows.length >= count) return rows.map(({ outcome }) => outcome).sort()
    }
  }
  /** Opens a link and sends its form. */
  const create = async (link: string, account: Record<string, string> = ACCOUNT, browser = new Browser(app)) => {
    const transaction = formTokenOf(await browser.get(link))
    return await browser.post('/create-account', { transaction, link: link.split('link=')[1] ?? '', ...account })
  }
  /** Requests a link, and waits for it. */
  const link = async (email: string, options: Parameters<typeof request>[1] = {}) => {
    const count = server.mails.length + 1
    await request(email, options)
    return linkIn(await server.received(count))
  }
  return { ...built, ...server, request, outcomes, create, link }
}
