import { createPasskey } from '@frontdesk/test-kit/passkey'
import t, { type Test } from 'tap'
import { challengeOf } from '../../../src/factors/relying-party.js'
import { addPasskey, passkeyForm, SITE } from '../../support/factors.js'
import { connectTo } from '../../support/database.js'
import { Browser, build, formTokenOf } from '../../support/helper.js'
import { readMail, startMailServer } from '../../support/mail-server.js'
import { enterMailedCode } from '../../support/mailed-code.js'
import { prepareSecondStep, requestsCode } from '../../support/second-step.js'

export const onBothDatabases = true

const PASSWORD = 'correct horse'
const PATH = '/account/passkeys'

async function begin (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, env)
  const browser = new Browser(built.app)
  const signIn = async (it: Browser) => await it.post('/account', {
    transaction: formTokenOf(await it.get('/account')), decision: 'sign-in', username: 'ann', password: PASSWORD
  })
  await signIn(browser)
  const send = async (decision: string, form: Record<string, string> = {}) =>
    await browser.post(PATH, { transaction: formTokenOf(await browser.get(PATH)), decision, ...form })
  return { ...built, browser, send, signIn, ann: (await built.stores.users.find('ann'))! }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** Adds a passkey, as a browser does. */
async function add ({ send, browser }: Pick<Begun, 'send' | 'browser'>, name = 'Phone', passkey = createPasskey(SITE)) {
  const transaction = formTokenOf(await send('add', { password: PASSWORD, name }))
  const form = { transaction, decision: 'confirm', name, code: passkey.create({ challenge: challengeOf(transaction) }) }
  return { passkey, form, response: await browser.post(PATH, form) }
}

t.test('a passkey is added with the password, named, listed and removed; the first one brings recovery codes', async t => {
  const { stores, browser, send, ann, app } = await begin(t)
  t.match((await browser.get('/account')).body, 'Add a passkey')
  t.match((await browser.get(PATH)).body, 'any passkeys')
  t.match((await send('add', { password: 'wrong' })).body, 'Wrong password.')
  const page = await send('add', { password: PASSWORD, name: 'My <phone>' })
  t.match(page.body, 'My &lt;phone&gt;')
  t.match(page.headers['content-security-policy'], /script-src 'sha256-/)
  t.same((await stores.factors.find(ann.id)).passkeys, [])

  const { response, form, passkey } = await add({ browser, send }, 'My <phone>')
  t.equal([...response.body.matchAll(/<li><code>/g)].length, 10)
  t.equal((await browser.post(PATH, form)).statusCode, 409, 'again')
  t.match((await browser.get(PATH)).body, 'My &lt;phone&gt;')
  const second = await add({ browser, send }, '')
  t.equal(second.response.statusCode, 303)
  t.match((await browser.get(PATH)).body, /role="status"[^]*Passkey added\./)
  t.match((await stores.factors.find(ann.id)).passkeys.map(({ name }) => name), ['My <phone>', 'Passkey'])

  t.equal((await send('remove', { password: PASSWORD, passkey: passkey.id })).statusCode, 303)
  t.match((await browser.get(PATH)).body, 'Passkey removed.')
  t.equal((await send('remove', { password: PASSWORD, passkey: passkey.id })).statusCode, 409)
  await app.auditTrail.flush()
  const outcomes = (await stores.audit.list({ event: 'factor' }, 20)).map(({ outcome }) => outcome)
  t.same(outcomes, ['passkey-removed', 'passkey-added', 'passkey-added'])
})

t.test('a passkey is renamed by its own user', async t => {
  const { app, stores, browser, send, ann } = await begin(t)
  const { passkey } = await add({ browser, send })
  t.equal((await send('rename', { passkey: passkey.id, name: ' Work\tlaptop <1> ' })).statusCode, 303)
  const { body } = await browser.get(PATH)
  t.match(body, 'Passkey renamed.')
  t.match(body, '<h3><bdi>Worklaptop &lt;1&gt;</bdi></h3>')
  await stores.users.add({ id: 'bob', username: 'bob', passwordHash: ann.passwordHash, demo: false })
  const other = await addPasskey(stores, (await stores.users.find('bob'))!)
  for (const id of [other.id, 'x', '']) t.equal((await send('rename', { passkey: id, name: 'Mine' })).statusCode, 409, id)
  t.match(await stores.factors.passkeys.list('bob'), [{ name: 'Phone' }])
  t.equal((await send('rename', { passkey: passkey.id, name: 'x'.repeat(65) })).statusCode, 303)
  t.match(await stores.factors.passkeys.list(ann.id), [{ name: 'x'.repeat(64) }])
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'factor' }, 1), [{ outcome: 'passkey-renamed' }])
})

t.test('a passkey is not added without the password of this form, for another page, or after a change of the password', async t => {
  const { stores, browser, send, ann } = await begin(t)
  const passkey = createPasskey(SITE)
  const plain = formTokenOf(await browser.get(PATH))
  const create = (transaction: string, challenge = transaction) => passkey.create({ challenge: challengeOf(challenge) })
  t.equal((await browser.post(PATH, { transaction: plain, decision: 'confirm', code: create(plain) })).statusCode, 409)
  const transaction = formTokenOf(await send('add', { password: PASSWORD }))
  t.equal((await browser.post(PATH, { transaction, decision: 'confirm', code: create(transaction, plain) })).statusCode, 409)
  const mailed = formTokenOf(await browser.post('/account', { transaction: plain, decision: 'enter-code', code: '0' }))
  t.equal((await browser.post(PATH, { transaction: mailed, decision: 'confirm', code: create(mailed) })).statusCode, 409)
  await stores.users.endAccess(ann.id)
  t.not((await browser.post(PATH, { transaction, decision: 'confirm', code: create(transaction) })).statusCode, 303)
  t.same((await stores.factors.find(ann.id)).passkeys, [])
})

t.test('the last passkey stays if a role requires a second factor', async t => {
  const { stores, browser, send, ann } = await begin(t)
  const { passkey } = await add({ browser, send })
  await stores.roles.add('staff', [], 'urn:frontdesk:acr:mfa')
  await stores.roles.assign(ann.id, ['staff'])
  const refused = await send('remove', { password: PASSWORD, passkey: passkey.id })
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'One of your roles requires two-step sign-in.')
  t.equal((await stores.factors.find(ann.id)).passkeys.length, 1)
})

t.test('after the password, the passkey is requested, and only it; the tokens say so', async t => {
  const { databaseUrl, stores, ann, enterPassword, enterCode, open } = await prepareSecondStep(t)
  const passkey = await addPasskey(stores, await ann())
  const browser = open()
  const page = await enterPassword(browser)
  t.ok(requestsCode(page))
  t.match(page.body, 'Use your passkey')
  t.notMatch(page.body, 'authenticator app')
  t.match(page.headers['content-security-policy'], /script-src 'sha256-/)
  const wrong = await enterCode(browser, page, passkey.use({ challenge: challengeOf('other') }))
  t.equal(wrong.statusCode, 403)
  t.match(wrong.body, 'couldn&#39;t be verified')
  t.match(wrong.body, 'Use your passkey')
  const done = await enterCode(browser, wrong, passkeyForm(passkey, formTokenOf(wrong)).code)
  t.equal(done.statusCode, 303)
  t.match(new URL(String(done.headers.location)).searchParams.get('code'), /./)
  const direct = await connectTo(databaseUrl)
  t.teardown(() => direct.close())
  t.same(await direct.query('SELECT amr FROM session'), [{ amr: 'pwd pop mfa' }])
})

t.test('browsers find the related origins (WebAuthn Level 3 §5.11.1)', async t => {
  t.equal((await (await build(t)).app.inject('/.well-known/webauthn')).statusCode, 404)
  const { app } = await build(t, { RELATED_ORIGINS: 'https://id.example.de,https://id.example.fr' })
  const response = await app.inject('/.well-known/webauthn')
  t.match(response.headers['content-type'], /^application\/json/)
  t.same(response.json(), { origins: ['https://id.example.de', 'https://id.example.fr'] })
})

t.test('password managers find the page (W3C, A Well-Known URL for Relying Party Passkey Endpoints)', async t => {
  const { app } = await build(t)
  const page = `${SITE.origin}${PATH}`
  t.same((await app.inject('/.well-known/passkey-endpoints')).json(), { enroll: page, manage: page })
  const answer = await new Browser(app).get(PATH)
  t.match([answer.statusCode, answer.headers.location], [303, '/account'])
})

t.test('users are emailed about their passkeys', async t => {
  const server = await startMailServer(t)
  const { stores, browser, send, ann } = await begin(t, server.env)
  await stores.profiles.change({ id: ann.id }, { email: 'ann@example.com', emailVerified: true })
  const { passkey } = await add({
    browser,
    send: async (...form) => await enterMailedCode({ browser, path: PATH, page: await send(...form), received: server.received })
  })
  await send('remove', { password: PASSWORD, passkey: passkey.id })
  await server.received(3)
  t.same(server.mails.flatMap(mail => readMail(mail).headers.filter(it => it.startsWith('Subject:'))).sort(), [
    'Subject: A passkey was added at id.example', 'Subject: A passkey was removed at id.example', 'Subject: Your code for id.example'
  ])
})
