import type { Test } from 'tap'
import { loadConfig } from '../../src/config.js'
import type { Announcement } from '../../src/mail/notices.js'
import { createNotMeLinks } from '../../src/sign-in/not-me-link.js'
// What it adds to Fastify's types.
import type {} from '../../src/plugins/clock.js'
import { codeClient, exchangeForm, form, getCode, post } from './code-flow.js'
import { Browser, build, formTokenOf, query } from './helper.js'
import { headersOf, readMail, startMailServer, type ReceivedMail } from './mail-server.js'

/** Ann with a verified address, a session and a refresh token, and a mail server. */
export async function prepareNotMe (t: Test) {
  const { env, mails, received } = await startMailServer(t)
  const built = await build(t, env)
  const { app, stores } = built
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const ann = async () => (await stores.users.find('ann'))!
  const browser = new Browser(app)
  await browser.allow()
  const { refresh_token: refreshToken } = (await post(app, '/token', exchangeForm(await getCode(app)))).json<{ refresh_token: string }>()
  const links = createNotMeLinks({ ...loadConfig({}), issuer: 'https://id.example' })
  /** The path of a link. */
  const issue = async (about: Partial<Announcement> = {}, secondsAgo = 0) => {
    const { id: userId } = await ann()
    const now = new Date(app.clock.now().getTime() - secondsAgo * 1_000)
    return pathOf(await links.issue({ userId, mailedTo: 'ann@example.com', what: 'passkey-added', ...about }, now))
  }
  return {
    ...built,
    mails,
    received,
    /** Waits for the first email whose subject begins so. */
    async mailWith (subject: string): Promise<ReceivedMail> {
      for (let count = 1; ; count++) {
        const mail = await received(count)
        if (subjectOf(mail).startsWith(subject)) return mail
      }
    },
    browser,
    ann,
    issue,
    /** Sends a form of the account page. */
    send: async (decision: string, fields: Record<string, string>) =>
      await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision, ...fields }),
    open: async (path: string) => await new Browser(app).get(path),
    press: async (path: string) => await new Browser(app).post('/not-me', { link: path.split('link=')[1] ?? '' }),
    signIn: async (password: string) => (await new Browser(app).allow(query(), { username: 'ann', password })).statusCode,
    isSignedIn: async () => (await browser.get('/account')).body.includes('value="everywhere"'),
    refresh: async () => (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refreshToken }))).statusCode
  }
}

const pathOf = (address: string) => address.slice('https://id.example'.length)

/** The path of the link in an email. */
export function pathIn (mail: ReceivedMail): string {
  return /https:\/\/id\.example(\/\S+link=\S+)/.exec(readMail(mail).text)?.[1] ?? 'none'
}

export function subjectOf (mail: ReceivedMail): string {
  return headersOf(mail).find(it => it.startsWith('Subject: '))?.slice('Subject: '.length) ?? ''
}
