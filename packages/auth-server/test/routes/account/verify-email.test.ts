import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.js'
// What they add to Fastify's types.
import type {} from '../../../src/plugins/audit.js'
import type {} from '../../../src/plugins/clock.js'
import { createEmailLinks } from '../../../src/sign-in/email-link.js'
import { createPasswordLinks } from '../../../src/sign-in/password-link.js'
import { Browser, build, formTokenOf, query } from '../../support/helper.js'
import { readMail, startMailServer, type ReceivedMail } from '../../support/mail-server.js'

export const onBothDatabases = true

const pathIn = (mail?: ReceivedMail) => /https:\/\/id\.example(\/verify-email\?link=\S+)/.exec(readMail(mail!).text)?.[1] ?? 'none'
const secretOf = (path: string) => path.split('link=')[1] ?? ''

/** Ann at her account page, with a mail server. */
async function prepare (t: Test) {
  const { env, mails, received } = await startMailServer(t)
  const built = await build(t, env)
  const { app, stores } = built
  const browser = new Browser(app)
  await browser.allow(query(), { username: 'ann', password: 'correct horse' })
  const send = async (decision: string, fields: Record<string, string> = {}) =>
    await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision, ...fields })
  const enter = async (email: string) => await send('details', { email })
  const ann = async () => (await stores.profiles.findAny('ann'))!
  const press = async (path: string, password = 'correct horse') =>
    await new Browser(app).post('/verify-email', { link: secretOf(path), password })
  return { ...built, browser, mails, send, enter, received, ann, press }
}

t.test('a changed address is unverified until its link is opened and the password entered', async t => {
  const { app, stores, browser, enter, received, ann, press } = await prepare(t)
  t.equal((await enter('Ann@Example.com')).statusCode, 303)
  t.match((await browser.get('/account')).body, 'Details saved. We&#39;ve emailed you a link to verify your new address.')
  const mail = await received(1)
  t.same(mail.to, ['Ann@example.com'])
  const { headers, text, html } = readMail(mail)
  t.ok(headers.includes('Subject: Verify your email address at id.example'))
  t.match(text, 'This email address was entered for the user ann at id.example.')
  const path = pathIn(mail)
  t.same(html.match(/https?:[^"]+/g), [`https://id.example${path}`])
  const page = await new Browser(app).get(path)
  t.match(page.body, /The address <strong>Ann@example.com<\/strong> was entered for the user <strong>ann<\/strong>/)
  t.equal((await ann()).emailVerified, false, 'a scanner that opens the link does nothing')
  t.match((await press(path)).body, 'sign in with <strong>Ann@example.com</strong>')
  t.equal((await ann()).emailVerified, true)
  t.equal((await new Browser(app).allow(query(), { username: 'ann@example.com', password: 'correct horse' })).statusCode, 303)
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'profile' }, 1), [{ outcome: 'verified', userId: (await ann()).id }])
  t.match(await stores.audit.list({ event: 'mail' }, 1), [{ outcome: 'sent', userId: (await ann()).id }])
})

t.test('a link that was used says that the address is verified, and checks no password', async t => {
  const { app, stores, enter, received, ann, press } = await prepare(t)
  await enter('ann@example.com')
  const path = pathIn(await received(1))
  await press(path)
  const verified = { statusCode: 200, body: /<h1>Your email address is verified<\/h1>/ }
  t.match(await new Browser(app).get(path), verified)
  t.match(await press(path, 'wrong'), verified)
  t.notMatch((await new Browser(app).get(path)).body, /name="password"/)
  await app.auditTrail.flush()
  t.equal((await stores.audit.list({ event: 'profile', outcome: 'verified' }, 10)).length, 1)
  await stores.profiles.change('ann', { email: 'other@example.com' })
  t.equal((await new Browser(app).get(path)).statusCode, 410, 'another address is not')
  t.equal((await ann()).emailVerified, false)
})

t.test('a link works for the address that it was sent to, and no other', async t => {
  const { app, stores, enter, received, ann, press } = await prepare(t)
  await enter('first@example.com')
  const first = pathIn(await received(1))
  await enter('second@example.com')
  const second = pathIn(await received(2))
  t.match(await press(first), { statusCode: 410, body: 'Go to your account' })
  t.equal((await ann()).emailVerified, false)
  t.equal((await press(second)).statusCode, 200)
  await stores.users.setDisabled('ann', new Date())
  t.equal((await press(second)).statusCode, 410, 'a disabled user')
  await stores.users.setDisabled('ann', null)
  await stores.profiles.change('ann', { emailVerified: false })
  const { id } = await ann()
  const links = createEmailLinks(stores.profiles, loadConfig({}))
  const now = app.clock.now()
  const old = await links.issue({ id, email: 'second@example.com' }, true, new Date(now.getTime() - 24 * 3_600_000))
  const foreign = await createEmailLinks(stores.profiles, { secretKey: 'x'.repeat(32) }).issue({ id, email: 'second@example.com' }, true, now)
  const forPassword = await createPasswordLinks(stores, loadConfig({})).issue((await stores.users.find('ann'))!, {}, now)
  for (const link of [old, foreign, forPassword, '', 'x.y.z']) t.equal((await press(`?link=${link}`)).statusCode, 410)
  t.equal((await ann()).emailVerified, false)
  t.equal((await new Browser(app).get(`/set-password?link=${secretOf(second)}`)).statusCode, 410, 'it sets no password')
})

t.test('a session alone verifies no address, with which it could reset the password', async t => {
  const { browser, enter, received, ann, press } = await prepare(t)
  await enter('thief@example.com')
  const path = pathIn(await received(1))
  const signedIn = (password: string) => browser.post('/verify-email', { link: secretOf(path), password })
  for (const send of [(password: string) => press(path, password), signedIn]) {
    for (const password of ['', 'wrong']) t.match(await send(password), { statusCode: 403, body: /role="alert".*Wrong password\./s })
  }
  t.equal((await ann()).emailVerified, false)
  await press(path, 'wrong')
  t.match(await press(path), { statusCode: 429, headers: { 'retry-after': /^\d+$/ } }, 'guesses count as at the sign-in')
})

t.test('the address that is verified is the user\'s at that moment', async t => {
  const { stores, ann } = await prepare(t)
  const user = (await stores.users.find('ann'))!
  const { id } = user
  for (let round = 0; round < 25; round++) {
    await stores.profiles.change({ id }, { email: 'old@example.com', emailVerified: false })
    const change = () => stores.profiles.changeOwn(id, { email: 'new@example.com' })
    const before = round % 2 === 0 ? undefined : change()
    await Promise.all([stores.profiles.verifyEmail(user, 'old@example.com', () => true), before ?? change()])
    t.match(await ann(), { email: 'new@example.com', emailVerified: false })
  }
})

t.test('a password that no longer works when the address is verified does not verify it', async t => {
  const { stores, ann, enter } = await prepare(t)
  await enter('thief@example.com')
  const user = (await stores.users.find('ann'))!
  for (const stale of [{ ...user, passwordHash: 'before' }, { ...user, epoch: user.epoch - 1 }]) {
    t.equal(await stores.profiles.verifyEmail(stale, 'thief@example.com', () => true), false)
  }
  t.equal((await ann()).emailVerified, false)
  t.equal(await stores.profiles.verifyEmail(user, 'thief@example.com', () => true), true)
})

t.test('the previous address, if it was verified, is told that it was replaced', async t => {
  const { stores, browser, mails, enter, received, send } = await prepare(t)
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  await send('details', { name: 'Ann Example' })
  const asked = await send('details', {
    shown_name: 'Ann Example', name: 'Ann Example', shown_email: 'ann@example.com', email: 'thief@example.com'
  })
  const code = /: (\d{8})/.exec(readMail(await received(1)).text)?.[1] ?? ''
  await browser.post('/account', { transaction: formTokenOf(asked), decision: 'enter-address-code', email: 'thief@example.com', code })
  await received(3)
  const notice = readMail(mails.findLast(({ to }) => to[0] === 'ann@example.com')!)
  t.match(notice.text, /The email address of your account at id\.example was changed\.\s+Your user name is ann\./)
  t.match(notice.text, /within 7 days to sign everyone out, then contact your administrator:\s+https:\/\/id\.example\/not-me\?link=/)
  await enter('other@example.com')
  await received(4)
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  await enter('ann@example.com')
  await stores.profiles.change('ann', { email: 'last@example.com', emailVerified: false })
  await send('verify')
  while (!mails.some(({ to }) => to[0] === 'last@example.com')) await setImmediate()
  t.same(mails.map(({ to }) => to[0]).sort(), ['ann@example.com', 'ann@example.com', 'last@example.com', 'other@example.com', 'thief@example.com'],
    'one that was not verified, or stays, is told nothing')
})

t.test('another link can be requested, three in 15 minutes; a verified address needs none', async t => {
  const { browser, mails, send, enter, received, press } = await prepare(t)
  t.notMatch((await browser.get('/account')).body, 'value="verify"', 'without an address')
  await enter('ann@example.com')
  t.match((await browser.get('/account')).body, 'Email me a link to verify my address')
  t.equal((await send('verify')).statusCode, 303)
  t.equal((await send('verify')).statusCode, 303)
  t.match(await send('verify'), { statusCode: 429, headers: { 'retry-after': /^\d+$/ }, body: 'Try again in 15 minutes.' })
  const last = await received(3)
  await press(pathIn(last))
  t.notMatch((await browser.get('/account')).body, 'value="verify"')
  await send('verify')
  t.equal(mails.length, 3)
})

t.test('without email, nothing is sent, and there is no page', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const transaction = formTokenOf(await browser.get('/account'))
  t.equal((await browser.post('/account', { transaction, decision: 'details', email: 'ann@example.com' })).statusCode, 303)
  const { body } = await browser.get('/account')
  t.match(body, 'Details saved.')
  t.notMatch(body, 'Email me')
  t.equal((await browser.get('/verify-email')).statusCode, 404)
})
