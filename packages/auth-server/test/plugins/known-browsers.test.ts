import type { LightMyRequestResponse } from 'fastify'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { knownBrowserName } from '../../src/input/user-agent.js'
import { translator } from '../../src/languages/translator.js'
import { createPasswordLinks } from '../../src/sign-in/password-link.js'
import { loadConfig } from '../../src/config.js'
import { codeClient, codeQuery } from '../support/code-flow.js'
import { Browser, build, formTokenOf, query } from '../support/helper.js'
import { readMail, startMailServer } from '../support/mail-server.js'
import { subjectOf } from '../support/not-me.js'

export const onBothDatabases = true

/** Ann with a verified address, and a mail server. */
async function prepare (t: Test) {
  const { env, mails, received } = await startMailServer(t)
  const built = await build(t, env)
  const { app, stores } = built
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const subjects = () => mails.map(subjectOf)
  /** Waits for this many emails, and for others that should not be sent. */
  const settled = async (count = 0) => {
    await received(count)
    await setTimeout(100)
    return subjects()
  }
  return { ...built, mails, received, settled, open: () => new Browser(app) }
}

const SUBJECT = 'New sign-in at id.example'

t.test('a sign-in with a new browser is announced, not the first one ever, nor one with a known browser', async t => {
  const { open, mails, received, settled } = await prepare(t)
  const [first, second] = [open(), open()]
  await first.allow()
  t.same(await settled(), [], 'the first one')
  await second.allow()
  const mail = await received(1)
  t.same([mail.to, subjectOf(mail)], [['ann@example.com'], SUBJECT])
  t.match(readMail(mail).text, /with a browser that you haven't used there before\.\s+Time: .* UTC\. Browser: unknown\. App: An app\.\s+Your user name is ann\.\s+If this wasn't you, open this link/)
  for (const browser of [first, second]) {
    await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision: 'sign-out' })
    t.equal((await browser.allow()).statusCode, 303)
  }
  t.same(await settled(1), [SUBJECT])
  t.equal(mails.length, 1)
})

t.test('a wrong password announces nothing, and makes no browser known', async t => {
  const { open, settled } = await prepare(t)
  await open().allow()
  const browser = open()
  t.equal((await browser.allow(query(), { username: 'ann', password: 'wrong' })).statusCode, 403)
  t.same(await settled(), [])
  await browser.allow()
  t.same(await settled(1), [SUBJECT])
})

t.test('at most three emails a day', async t => {
  const { stores, open, settled } = await prepare(t)
  for (let count = 0; count < 6; count++) await open().allow()
  t.same(await settled(3), [SUBJECT, SUBJECT, SUBJECT])
  await stores.removeExpired('throttle', new Date(Date.now() + 25 * 3_600_000))
  await open().allow()
  t.equal((await settled(4)).length, 4)
})

t.test('what ends sessions makes browsers unknown, except the one in which the password is set', async t => {
  const { app, stores, open, settled, received } = await prepare(t)
  const [one, other] = [open(), open()]
  await one.allow()
  await other.allow()
  await received(1)
  const transaction = formTokenOf(await one.get('/account'))
  await one.post('/account', { transaction, decision: 'password', password: 'correct horse', new_password: 'battery staple' })
  const credentials = { username: 'ann', password: 'battery staple' }
  for (const browser of [one, other]) await browser.allow(query(), credentials)
  t.same((await settled(3)).slice(1).sort(), [SUBJECT, 'Your password was changed at id.example'])

  const links = createPasswordLinks(stores, loadConfig({}))
  const link = await links.issue((await stores.users.find('ann'))!, {}, app.clock.now())
  const third = open()
  await third.post('/set-password', { link, new_password: 'third staple' })
  await third.allow(query(), { username: 'ann', password: 'third staple' })
  t.same((await settled(4)).slice(3), ['Your password was changed at id.example'])
})

t.test('an invited user\'s first browser is where the password was set: the next one is announced', async t => {
  const { app, stores, open, settled } = await prepare(t)
  await stores.users.add({ id: 'bea', username: 'bea', passwordHash: 'x', demo: false, isInvited: true, email: 'bea@example.com' })
  const links = createPasswordLinks(stores, loadConfig({}))
  const purpose = { isInvitation: true, mailedTo: 'bea@example.com' }
  const link = await links.issue((await stores.users.find('bea'))!, purpose, app.clock.now())
  const [first, second] = [open(), open()]
  const credentials = { username: 'bea', password: 'battery staple' }
  await first.post('/set-password', { link, new_password: credentials.password })
  await first.allow(query(), credentials)
  t.same(await settled(), [])
  await second.allow(query(), credentials)
  t.same(await settled(1), [SUBJECT])
})

t.test('a sign-in in a session of the same user, after max_age, is of a known browser', async t => {
  const { open, settled } = await prepare(t)
  const browser = open()
  await open().allow()
  await browser.allow()
  await browser.allow(query({ prompt: 'login' }))
  t.same(await settled(1), [SUBJECT])
})

t.test('an app that registered itself is not named', async t => {
  const { stores, open, received } = await prepare(t)
  await open().allow()
  await stores.clients.put(codeClient({ name: 'evil.example', registeredBy: 'open' }))
  t.equal((await open().allow(codeQuery())).statusCode, 303)
  const { text } = readMail(await received(1))
  t.match(text, 'Browser: unknown.')
  t.notMatch(text, /evil|App:/)
})

t.test('without email, or a verified address, no cookie and no email', async t => {
  const { app } = await build(t)
  const hasCookie = ({ cookies }: LightMyRequestResponse) => cookies.some(({ name }) => name.includes('browsers'))
  t.equal(hasCookie(await new Browser(app).allow()), false)
  const prepared = await prepare(t)
  await prepared.stores.profiles.change('ann', { emailVerified: false })
  t.equal(hasCookie(await prepared.open().allow()), true)
  await prepared.open().allow()
  t.same(await prepared.settled(), [])
})

t.test('a browser is named only if it is well-known', async t => {
  const rows: ReadonlyArray<readonly [string | null, string | undefined]> = [
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1', 'Safari on iOS'],
    ['evil.example/1.0 (go there)', undefined],
    ['Visit evil.example now/1 x', undefined],
    ['curl/8.0', undefined],
    ['', undefined],
    [null, undefined]
  ]
  for (const [userAgent, name] of rows) {
    const known = knownBrowserName(userAgent)
    t.equal(known && (await translator('en')).text(known), name, String(userAgent))
  }
})
