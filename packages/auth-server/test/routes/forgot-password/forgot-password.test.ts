import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.js'
// What they add to Fastify's types.
import type {} from '../../../src/plugins/audit.js'
import type {} from '../../../src/plugins/clock.js'
import { hashPassword } from '../../../src/sign-in/password.js'
import { createPasswordLinks } from '../../../src/sign-in/password-link.js'
import { Browser, build, query } from '../../support/helper.js'
import { readMail, startMailServer, type ReceivedMail } from '../../support/mail-server.js'

export const onBothDatabases = true

const linkIn = (mail?: ReceivedMail) => /https:\/\/id\.example(\/set-password\?link=\S+)/.exec(readMail(mail!).text)?.[1] ?? 'none'
const secretOf = (path: string) => path.split('link=')[1] ?? ''

async function prepare (t: Test, env: Record<string, string> = {}) {
  const server = await startMailServer(t)
  const built = await build(t, { ...server.env, ...env })
  const { app, stores } = built
  await stores.profiles.change('ann', { email: 'Ann@Example.com', emailVerified: true, name: 'Ann Example' })
  const add = async (username: string, profile: object) =>
    await stores.users.add({ id: `id-of-${username}`, username, passwordHash: await hashPassword('correct horse'), demo: false, ...profile })
  let sources = 0
  const ask = async (username: string, { search = '', address = `198.51.100.${++sources}` } = {}) =>
    await new Browser(app, address).post(`/forgot-password${search}`, { username })
  /** What became of the requests, once as many have ended: all answers come before. */
  const outcomes = async (count: number): Promise<string[]> => {
    for (;;) {
      await setImmediate()
      await app.auditTrail.flush()
      const rows = await stores.audit.list({ event: 'mail' }, 500)
      if (rows.length >= count) return rows.map(({ outcome }) => outcome).sort()
    }
  }
  return { ...built, ...server, add, ask, outcomes }
}

t.test('a mail leads from the consent page to a new password and back to the app', async t => {
  const { app, stores, ask, outcomes, mails } = await prepare(t)
  const browser = new Browser(app)
  const search = `?${query({ state: 'kept' })}`
  const escaped = search.replaceAll('&', '&amp;')
  t.ok((await browser.get(`/consent${search}`)).body.includes(`<a href="/forgot-password${escaped}">Forgot your password?</a>`))
  t.ok((await browser.get(`/forgot-password${search}`)).body.includes(`action="/forgot-password${escaped}"`))
  t.match((await browser.get('/account')).body, '<a href="/forgot-password">')

  await ask('ANN', { search })
  t.same(await outcomes(1), ['sent'])
  t.match(mails, [{ from: 'no-reply@id.example', to: ['Ann@example.com'] }])
  const { headers, text, html } = readMail(mails[0]!)
  for (const header of ['From: The desk <no-reply@id.example>', 'To: Ann Example <Ann@example.com>',
    'Subject: Set a new password at id.example', 'Auto-Submitted: auto-generated']) t.ok(headers.includes(header), header)
  t.match(text, 'Here is a link to set a new password at id.example. Your user name is ann.')
  const link = linkIn(mails[0])
  t.same(html.match(/https?:[^"]+/g), [`https://id.example${link}`], 'nothing is fetched: the only address is the link')

  t.match((await browser.get(link)).body, '<h1>Set your password</h1>')
  const set = async (password: string) => await browser.post('/set-password', { link: secretOf(link), new_password: password })
  const done = await set('battery staple')
  t.equal(done.statusCode, 200)
  t.ok(done.body.includes(`href="https://id.example/authorize${escaped}">Continue to the app</a>`))
  t.equal((await new Browser(app).allow(query(), { username: 'ann', password: 'battery staple' })).statusCode, 303)
  t.match(await set('another one'), { statusCode: 410, body: '<a href="/forgot-password">Forgot your password?</a>' })
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'password' }, 9), [{ outcome: 'link' }])
})

t.test('the answer is the same for every name; only enabled people with a verified address get a mail', async t => {
  const { stores, add, ask, outcomes, mails } = await prepare(t)
  await add('unverified', { email: 'unverified@example.com' })
  await add('disabled', { email: 'disabled@example.com', emailVerified: true })
  await stores.users.setDisabled('disabled', new Date())
  const names = ['unknown', 'unverified', 'unverified@example.com', 'disabled', 'disabled@example.com', '', ' ', '%@%', 'a'.repeat(5_000)]
  const answers = await Promise.all([...names, 'ann'].map(async name => await ask(name)))
  t.same(answers.map(({ statusCode, body }) => ({ statusCode, body })), answers.map(() => ({ statusCode: 200, body: answers[0]?.body })))
  t.match(answers[0], { statusCode: 200, body: /If an account with this name exists/ })
  t.same(await outcomes(names.length + 1), ['sent', ...names.map(() => 'unknown')])
  t.same(mails.map(({ to }) => to), [['Ann@example.com']])
})

t.test('100 requests at once, by name and by address, give one mail', async t => {
  const { ask, outcomes, mails } = await prepare(t)
  await Promise.all(Array.from({ length: 100 }, async (_, i) => await ask(i % 2 ? 'ann' : 'ann@example.COM')))
  t.same((await outcomes(100)).filter(it => it !== 'throttled'), ['sent'])
  t.equal(mails.length, 1)
})

t.test('a person gets a mail every five minutes, and five a day', async t => {
  const { stores, ask, outcomes, mails } = await prepare(t, { BRAND_NAME: 'Example accounts' })
  const sentAfter = async (milliseconds: number) => {
    await stores.removeExpired('throttle', new Date(Date.now() + milliseconds))
    const before = (await outcomes(0)).length
    await ask('ann')
    return (await outcomes(before + 1)).filter(it => it === 'sent').length
  }
  const counts = []
  for (let i = 0; i < 6; i++) counts.push(await sentAfter(6 * 60_000))
  t.same(counts, [1, 2, 3, 4, 5, 5])
  t.equal(await sentAfter(25 * 3_600_000), 6)
  t.match(readMail(mails[0]!).text, 'Here is a link to set a new password at Example accounts.')
})

t.test('one source may ask ten times in 15 minutes, whatever the names', async t => {
  const { ask } = await prepare(t)
  const address = '203.0.113.9'
  const answers = []
  for (let i = 0; i < 11; i++) answers.push(await ask(`name ${i}`, { address }))
  t.same(answers.map(({ statusCode }) => statusCode), [...Array.from({ length: 10 }, () => 200), 429])
  t.match(answers[10], { headers: { 'retry-after': /^\d+$/ }, body: /We didn't send an email\.<\/strong> Too many requests\. Try again in 15 minutes/ })
})

t.test('people with one address get a mail each, five at most', async t => {
  const { add, ask, outcomes, mails } = await prepare(t)
  for (let i = 0; i < 7; i++) await add(`family-${i}`, { email: 'family@example.com', emailVerified: true })
  await ask('family@example.com')
  await outcomes(5)
  const names = mails.map(mail => /user name is (\S+)\./.exec(readMail(mail).text)?.[1])
  t.same(names.sort(), [0, 1, 2, 3, 4].map(i => `family-${i}`))
})

t.test('a mailed link ends after an hour, and when the person has another address', async t => {
  const { app, stores, ask, outcomes, mails } = await prepare(t)
  await ask('ann')
  await outcomes(1)
  const browser = new Browser(app)
  t.equal((await browser.get(linkIn(mails[0]))).statusCode, 200)
  await stores.profiles.change('ann', { email: 'new@example.com' })
  t.equal((await browser.get(linkIn(mails[0]))).statusCode, 410)

  const ann = (await stores.users.find('ann'))!
  t.equal(await stores.users.changePassword(ann, 'x', { mailedTo: 'ann@example.com' }), null, 'the statement decides, also when both come at once')
  t.same(await stores.users.find('ann'), ann)

  const links = createPasswordLinks(stores, loadConfig({}))
  const hourAgo = new Date(app.clock.now().getTime() - 3_600_000)
  const status = async (ttl?: number) =>
    (await browser.get(`/set-password?link=${await links.issue(ann, ttl === undefined ? {} : { ttl }, hourAgo)}`)).statusCode
  t.same([await status(3_599), await status()], [410, 200], 'a link of an operator lasts a day')
})

t.test('a mailed invitation has its own words, and verifies the address; a printed one does not', async t => {
  const { app, stores, add } = await prepare(t)
  const links = createPasswordLinks(stores, loadConfig({}))
  for (const [username, isMailed] of [['bea', true], ['cid', false]] as const) {
    const email = `${username}@example.com`
    await add(username, { email })
    const purpose = { isInvitation: true, ...(isMailed ? { mailedTo: email } : {}) }
    const link = await links.issue((await stores.users.find(username))!, purpose, app.clock.now())
    const page = await new Browser(app).get(`/set-password?link=${link}`)
    t.match(page.body, '<h1>Choose your password</h1>')
    t.match(page.body, 'Welcome. Your account is ready.')
    t.match((await new Browser(app).post('/set-password', { link, new_password: 'battery staple' })).body, `sign in with your user name <strong>${username}</strong>`)
    t.match(await stores.profiles.findAny(username), { email, emailVerified: isMailed })
  }
})

t.test('without a mail server there is no page, and no link to it', async t => {
  const { app } = await build(t)
  t.notMatch((await new Browser(app).get(`/consent?${query()}`)).body, 'Forgot')
  t.equal((await new Browser(app).get('/forgot-password')).statusCode, 404)
})
