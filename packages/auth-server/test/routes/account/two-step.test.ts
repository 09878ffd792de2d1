import { totpCode } from '@frontdesk/test-kit/totp'
import t, { type Test } from 'tap'
import { connectTo } from '../../support/database.js'
import { Browser, build, formTokenOf, type Built } from '../../support/helper.js'
import { readMail, startMailServer } from '../../support/mail-server.js'

export const onBothDatabases = true

const PASSWORD = 'correct horse'
const PATH = '/account/two-step'

/** Ann, signed in at the account page, and what her forms answer. */
async function begin (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, env)
  const browser = new Browser(built.app)
  await browser.post('/account', {
    transaction: formTokenOf(await browser.get('/account')), decision: 'sign-in', username: 'ann', password: PASSWORD
  })
  const send = async (decision: string, form: Record<string, string> = {}) =>
    await browser.post(PATH, { transaction: formTokenOf(await browser.get(PATH)), decision, ...form })
  const ann = (await built.stores.users.find('ann'))!
  return { ...built, browser, send, ann, open: async () => (await browser.get(PATH)).body }
}

type Begun = Awaited<ReturnType<typeof begin>>

const secretIn = (body: string) => (/class="key">([A-Z2-7 ]+)</.exec(body)?.[1] ?? '').replaceAll(' ', '')
const appIn = (body: string) => /name="app" value="([^"]+)"/.exec(body)?.[1] ?? ''
const codesIn = (body: string) => [...body.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code]) => code!)

/** Sets up an app; gives its secret and the recovery codes. */
async function enroll ({ send }: Pick<Begun, 'send'>) {
  const { body } = await send('set-up', { password: PASSWORD })
  const [secret, app] = [secretIn(body), appIn(body)]
  const confirmed = await send('confirm', { app, code: totpCode(secret) })
  return { secret, app, confirmed, codes: codesIn(confirmed.body) }
}

async function events ({ app, stores }: Pick<Built, 'app' | 'stores'>) {
  await app.auditTrail.flush()
  return (await stores.audit.list({ event: 'factor' }, 20)).map(({ outcome }) => outcome).reverse()
}

t.test('who is not signed in is sent to the account page', async t => {
  const { app } = await build(t)
  const answer = await new Browser(app).get(PATH)
  t.match([answer.statusCode, answer.headers.location], [303, '/account'])
  t.equal((await new Browser(app).post(PATH, { decision: 'set-up', password: PASSWORD })).statusCode, 403)
})

t.test('an app is set up with the password and a code, and only then counts; ten recovery codes are shown once', async t => {
  const { stores, browser, send, open, ann, ...built } = await begin(t)
  t.match((await browser.get('/account')).body, 'Set up two-step sign-in')
  t.match(await open(), 'Two-step sign-in is <strong>off</strong>')

  const refused = await send('set-up', { password: 'wrong' })
  t.equal(refused.statusCode, 403)
  t.match(refused.body, 'Wrong password.')
  t.notMatch(refused.body, 'class="key"')

  const { body } = await send('set-up', { password: PASSWORD })
  const [secret, app] = [secretIn(body), appIn(body)]
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.match(body, /<svg xmlns/)
  t.match(body, `otpauth://totp/id.example:ann?issuer=id.example&amp;secret=${secret}&amp;`)
  t.notMatch(app, secret)
  t.equal((await stores.users.find('ann'))?.factors, null, 'nothing is stored')

  const wrong = await send('confirm', { app, code: '12345' })
  t.equal(wrong.statusCode, 403)
  t.match(wrong.body, 'That code isn\'t right.')
  t.equal(secretIn(wrong.body), secret, 'the same app goes on')
  const confirmed = await send('confirm', { app: appIn(wrong.body), code: totpCode(secret).replace(/^.../, '$& ') })
  t.equal(confirmed.statusCode, 200)
  t.match(confirmed.body, 'Two-step sign-in is on.')
  const codes = codesIn(confirmed.body)
  t.equal(codes.length, 10)

  const found = (await stores.users.find('ann'))!
  t.equal(found.factors, 'totp')
  t.match(found, { passwordHash: ann.passwordHash, epoch: ann.epoch }, 'the password and all access stay')
  const page = await open()
  t.match(page, /You have <strong>10<\/strong> unused recovery codes/)
  for (const code of [...codes, secret]) t.notMatch(page, code)
  t.match((await browser.get('/account')).body, 'Manage two-step sign-in')

  const again = await send('confirm', { app, code: totpCode(secret) })
  t.equal(again.statusCode, 409, 'a reload changes nothing')
  t.same(codesIn(again.body), [])
  t.same(await events({ ...built, stores }), ['on'])
  t.notMatch(built.logs.join(''), new RegExp([secret, ...codes].join('|')))
})

t.test('a set-up ends with its half hour, its user, a changed password and revoked access', async t => {
  const { stores, send, ann } = await begin(t)
  const { body } = await send('set-up', { password: PASSWORD })
  const code = totpCode(secretIn(body))
  for (const app of ['', 'x', appIn(body).slice(0, -4)]) t.equal((await send('confirm', { app, code })).statusCode, 409)
  await stores.users.changePassword(ann, ann.passwordHash)
  t.equal((await send('confirm', { app: appIn(body), code })).statusCode, 403, 'the session ended too')
  t.equal((await stores.users.find('ann'))?.factors, null)
})

t.test('an app is replaced by another one; the old one works until then, and the recovery codes stay', async t => {
  const begun = await begin(t)
  const { stores, send, browser, open } = begun
  const before = await enroll(begun)
  const { body } = await send('set-up', { password: PASSWORD })
  const id = (await stores.factors.authenticators.find((await stores.users.find('ann'))!.id))?.id
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)]
  await stores.trustedBrowsers.add(begun.ann, { id: 'lost', userAgent: null, createdAt, expiresAt })
  const replaced = await send('confirm', { app: appIn(body), code: totpCode(secretIn(body)) })
  t.match([replaced.statusCode, replaced.headers.location], [303, PATH])
  t.match(await open(), 'Authenticator app replaced.')
  t.same(await stores.trustedBrowsers.list(begun.ann.id, createdAt), [])
  t.not((await stores.factors.authenticators.find((await stores.users.find('ann'))!.id))?.id, id)
  t.equal((await stores.factors.find((await stores.users.find('ann'))!.id)).recoveryCodes, 10)
  t.not(secretIn(body), before.secret)
  t.match((await browser.get('/account')).body, 'Manage two-step sign-in')
  t.same(await events(begun), ['on', 'replaced'])
})

t.test('new recovery codes replace the old ones; who has two left is warned', async t => {
  const begun = await begin(t)
  const { stores, send, open, browser, ann } = begun
  const { codes } = await enroll(begun)
  t.match((await send('codes', { password: 'wrong' })).body, 'Wrong password.')
  const next = codesIn((await send('codes', { password: PASSWORD })).body)
  t.equal(next.length, 10)
  t.same(next.filter(code => codes.includes(code)), [])
  t.notMatch(await open(), 'class="caution"')
  await stores.factors.recoveryCodes.replace(ann, ['a', 'b'])
  t.match(await open(), /class="caution">You have <strong>2<\/strong> unused recovery codes/)
  t.match((await browser.get('/account')).body, 'You have 2 unused recovery codes.')
  t.same(await events(begun), ['on', 'recovery codes'])
})

t.test('it is turned off with the password, unless a role requires it', async t => {
  const begun = await begin(t)
  const { stores, send, open, ann } = begun
  await enroll(begun)
  t.equal((await send('turn-off', { password: 'wrong' })).statusCode, 403)
  await stores.roles.add('staff', [])
  await stores.roles.assign(ann.id, ['staff'])
  const direct = await connectTo(begun.databaseUrl)
  t.teardown(() => direct.close())
  await direct.query("UPDATE role SET required_acr = 'urn:frontdesk:acr:mfa'")
  const refused = await send('turn-off', { password: PASSWORD })
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'One of your roles requires two-step sign-in.')
  t.equal((await stores.users.find('ann'))?.factors, 'totp')
  await stores.roles.assign(ann.id, [])
  t.equal((await send('turn-off', { password: PASSWORD })).headers.location, PATH)
  t.match(await open(), 'Turned off two-step sign-in.')
  t.same(await stores.factors.find(ann.id), { authenticator: null, passkeys: [], recoveryCodes: 0 })
  t.equal((await send('turn-off', { password: PASSWORD })).statusCode, 409, 'there is none')
  t.equal((await send('codes', { password: PASSWORD })).statusCode, 409)
  t.same(await events(begun), ['on', 'off'])
})

t.test('trusted browsers are listed and ended, each by its user', async t => {
  const begun = await begin(t)
  const { stores, send, open, ann } = begun
  await enroll(begun)
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)]
  for (const id of ['one', 'two']) await stores.trustedBrowsers.add(ann, { id, userAgent: 'curl/8.0', createdAt, expiresAt })
  t.equal((await open()).match(/<h3>curl/g)?.length, 2)
  t.equal((await send('end-trust', { browser: 'one' })).headers.location, PATH)
  t.match(await open(), /That browser needs a code again\..*<h3>curl/s)
  t.equal((await send('end-trust', { browser: 'one' })).statusCode, 303)
  t.same((await stores.trustedBrowsers.list(ann.id, createdAt)).map(({ id }) => id), ['two'])
  t.same(await events(begun), ['on', 'untrusted'])
})

t.test('the user is emailed about each change, at a verified address', async t => {
  const server = await startMailServer(t)
  const begun = await begin(t, server.env)
  const { stores, send, ann } = begun
  await enroll(begun)
  await stores.profiles.change({ id: ann.id }, { email: 'ann@example.com', emailVerified: true, name: 'Ann Example' })
  const { body } = await send('set-up', { password: PASSWORD })
  await send('confirm', { app: appIn(body), code: totpCode(secretIn(body)) })
  await send('turn-off', { password: PASSWORD })
  await enroll(begun)
  await server.received(3)
  const mails = server.mails.map(it => readMail(it))
  t.same(mails.flatMap(({ headers }) => headers.filter(it => it.startsWith('Subject:'))).sort(), [
    'Subject: Two-step sign-in is off at id.example',
    'Subject: Two-step sign-in is on at id.example',
    'Subject: Your authenticator app was replaced at id.example'
  ])
  for (const { text } of mails) t.match(text, /Your user name is ann\..*If this wasn't you, open this link within 7 days/s)
})
