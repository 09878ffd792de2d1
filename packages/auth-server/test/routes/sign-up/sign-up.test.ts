import t from 'tap'
import { mailEnded } from '../../../src/telemetry/events.js'
import { foldEmail } from '../../../src/stores/users/user-columns.js'
import { countRows, tablesNaming } from '../../support/database.js'
import { Browser, build, query } from '../../support/helper.js'
import { readMail } from '../../support/mail-server.js'
import { ACCOUNT, beginSignUp, linkIn } from '../../support/sign-up.js'

export const onBothDatabases = true

const REQUEST = query({ state: 'kept' })

t.test('a link on the sign-in page leads by email to an account, a session and back to the app', async t => {
  const { app, stores, request, create, received } = await beginSignUp(t)
  const browser = new Browser(app)
  const escaped = `?${REQUEST}`.replaceAll('&', '&amp;')
  t.ok((await browser.get(`/consent?${REQUEST}`)).body.includes(`<a href="/sign-up${escaped}">Create an account</a>`))
  t.match((await browser.get('/account')).body, '<a href="/sign-up">Create an account</a>')
  const page = await browser.get(`/sign-up?${REQUEST}`)
  t.ok(page.body.includes(`action="/sign-up?${REQUEST.replaceAll('&', '&amp;')}"`))
  t.ok(page.body.includes(`<a href="/consent${escaped}">Sign in</a>`))
  t.match(await request('Ivy@Example.com', { browser, search: `?${REQUEST}` }), { statusCode: 200, body: '<strong>Ivy@example.com</strong>' })
  const mail = await received(1)
  t.same(mail.to, ['Ivy@example.com'])
  const { headers, text, html } = readMail(mail)
  t.ok(headers.includes('Subject: Create your account at id.example'))
  t.match(text, 'open this link within 24 hours. It works once')
  const link = linkIn(mail)
  t.same(html.match(/https?:[^"]+/g), [`https://id.example${link}`])

  const form = await browser.get(link)
  t.match(form.body, /name="username"[^>]+value="Ivy"/)
  const done = await create(link, ACCOUNT, browser)
  t.match(done, { statusCode: 303, headers: { location: `https://id.example/consent?${REQUEST}` } })
  t.match((await browser.get(`/consent?${REQUEST}`)).body, 'signed in as <strong>ivy</strong>')
  const user = (await stores.users.find('ivy'))!
  t.match(await stores.profiles.findAny('ivy'), { name: 'Ivy Example', email: 'Ivy@example.com', emailVerified: true })
  t.same([user.termsVersion, user.demo, await stores.roles.of(user.id)], [null, false, []])
  t.equal((await new Browser(app).allow(query(), { username: 'ivy@example.com', password: 'battery staple' })).statusCode, 303)
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'sign-up' }, 9), [{ outcome: 'done', userId: user.id, details: {} }])
  t.match(await browser.get(link), { statusCode: 410, body: '<a href="/sign-up">Create an account</a>' })
})

t.test('the answer is the same for known and unknown addresses, and stores no unproven one', async t => {
  const { stores, databaseUrl, request, outcomes, mails } = await beginSignUp(t)
  const add = async (username: string, profile: object) =>
    await stores.users.add({ id: `id-of-${username}`, username, passwordHash: 'x', demo: false, email: `${username}@example.com`, ...profile })
  await add('verified', { emailVerified: true })
  await add('unverified', {})
  await add('disabled', { emailVerified: true })
  await stores.users.setDisabled('disabled', new Date())
  const names = ['new', 'verified', 'unverified', 'disabled']
  const answers = await Promise.all(names.map(async name => await request(`${name}@example.com`)))
  const shown = answers.map(({ statusCode, body }, i) => ({ statusCode, body: body.replaceAll(names[i]!, 'x') }))
  t.same(shown, shown.map(() => shown[0]))
  t.equal(shown[0]?.statusCode, 200)
  t.same(await outcomes(4), names.map(() => 'sent'))
  const subjects = new Map(mails.map(mail => [mail.to[0], readMail(mail).headers.find(it => it.startsWith('Subject'))]))
  t.same([...subjects].sort(), [
    ['disabled@example.com', 'Subject: You already have an account at id.example'],
    ['new@example.com', 'Subject: Create your account at id.example'],
    ['unverified@example.com', 'Subject: Create your account at id.example'],
    ['verified@example.com', 'Subject: You already have an account at id.example']
  ])
  t.same(await tablesNaming(databaseUrl, 'new@example.com'), [])
})

t.test('who has an account gets an email with the user name, the account page and the way to a new password', async t => {
  const { stores, request, received } = await beginSignUp(t)
  await stores.profiles.change('ann', { email: 'Ann@Example.com', emailVerified: true })
  await request('ann@example.COM', { search: `?${REQUEST}` })
  const { text, html } = readMail(await received(1))
  for (const part of ['Your user name is ann.', 'https://id.example/account', 'https://id.example/forgot-password']) t.match(text, part)
  t.notMatch(text + html, /link=|client_id/)
})

t.test('100 requests at once for a mailbox, however it is spelled, give one email; a flood leaves a bounded number of rows', async t => {
  const { app, databaseUrl, request, outcomes, mails } = await beginSignUp(t)
  const before = await countRows(databaseUrl)
  const spellings = ['new@example.com', 'New@Example.com', 'new@example.com.', 'new+tag@example.com', '\uff4eew@\uff45xample.com']
  await Promise.all(Array.from({ length: 100 }, async (_, i) => await request(spellings[i % 5]!)))
  t.same((await outcomes(100)).filter(it => it !== 'throttled'), ['sent'])
  t.equal(mails.length, 1)
  const rows = await countRows(databaseUrl)
  const browser = new Browser(app, '203.0.113.9')
  const answers = []
  for (let i = 0; i < 12; i++) answers.push(await request(`name-${i}@example.com`, { browser }))
  t.same(answers.map(({ statusCode }) => statusCode), [...Array.from({ length: 10 }, () => 200), 429, 429])
  t.match(answers[11], { headers: { 'retry-after': /^\d+$/ }, body: 'Too many attempts. Try again in 15 minutes' })
  await outcomes(110)
  t.equal(await countRows(databaseUrl) - rows, 10 * 2 + 1, 'the counters of ten addresses and one source')
  t.ok(rows - before <= 100 + 3)
})

t.test('the server sends a bounded number of emails in an hour, to known and unknown addresses, and says and counts that', async t => {
  const outcomesOfMails: string[] = []
  t.teardown(mailEnded.subscribe(({ outcome }) => { outcomesOfMails.push(outcome) }))
  const { app, stores, request, outcomes } = await beginSignUp(t, { SIGN_UP_EMAILS: '10' })
  const warnings: unknown[] = []
  app.log.warn = (...args: unknown[]) => { warnings.push(args) }
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const answers = await Promise.all(Array.from({ length: 50 }, async (_, i) => await request(i ? `name-${i}@example.com` : 'ann@example.com')))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  t.equal(refused.length, 40)
  for (const answer of refused) t.match(answer, { headers: { 'retry-after': /^3\d{3}$/ }, body: /Too many people are creating an account right now. Try again in 60 minutes/ })
  t.same(await outcomes(10), Array.from({ length: 10 }, () => 'sent'))
  t.same(outcomesOfMails.sort(), [...Array.from({ length: 40 }, () => 'limited'), ...Array.from({ length: 10 }, () => 'sent')])
  t.match(warnings, [[/SIGN_UP_EMAILS/]])
  t.equal((await request('late@example.com')).statusCode, 429)
})

t.test('requests that send no email leave the emails of the hour to others', async t => {
  const { request, outcomes } = await beginSignUp(t, { SIGN_UP_EMAILS: '10' })
  for (let i = 0; i < 20; i++) {
    t.equal((await request('ivy@example.com')).statusCode, 200)
    await outcomes(i + 1)
  }
  for (let i = 0; i < 9; i++) t.equal((await request(`name-${i}@example.com`)).statusCode, 200)
  t.equal((await request('late@example.com')).statusCode, 429)
})

t.test('an address that cannot be one is refused in a sentence, whoever has it', async t => {
  const { request, mails } = await beginSignUp(t)
  for (const email of ['', 'ivy', '@', 'a@b c', 'a@b@c', 'ivy@example.com\r\nBcc: x@example.com', `${'a'.repeat(250)}@example.com`]) {
    t.match(await request(email), { statusCode: 400, body: /role="alert"[\s\S]+The email address/ }, email.slice(0, 20))
  }
  t.equal(mails.length, 0)
  t.equal(foldEmail('Ivy@Example.com '), 'ivy@example.com')
})

t.test('another site cannot request a link in someone\'s browser, nor change the browser\'s cookie', async t => {
  const { app, mails, received, request } = await beginSignUp(t)
  const answer = await new Browser(app).post('/sign-up', { email: 'joe@example.com' })
  t.match(answer, { statusCode: 403, headers: { 'set-cookie': undefined } })
  const browser = new Browser(app)
  await browser.get('/sign-up')
  t.equal((await browser.post('/sign-up', { email: 'joe@example.com' })).statusCode, 403)
  await request('ivy@example.com')
  await received(1)
  t.equal(mails.length, 1)
})

t.test('off by default: no page, no link, no prompt', async t => {
  const { app, routes } = await build(t)
  t.same(routes.filter(({ url }) => /sign-up|create-account/.test(url)), [])
  t.equal((await new Browser(app).get('/sign-up')).statusCode, 404)
  t.notMatch((await new Browser(app).get(`/consent?${query()}`)).body, 'Create an account')
  const metadata = (await app.inject('/.well-known/openid-configuration')).json()
  t.notOk(metadata.prompt_values_supported.includes('create'))
})
