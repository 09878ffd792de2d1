import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { NOT_ME_LINK_TTL } from '../../../src/lifetimes.js'
import { createNotMeLinks } from '../../../src/sign-in/not-me-link.js'
import { createPasswordLinks } from '../../../src/sign-in/password-link.js'
import { addAuthenticator, addPasskey, anyone } from '../../support/factors.js'
import { Browser, build, formTokenOf } from '../../support/helper.js'
import { readMail } from '../../support/mail-server.js'
import { codeIn } from '../../support/mailed-code.js'
import { pathIn, prepareNotMe, subjectOf } from '../../support/not-me.js'

export const onBothDatabases = true

const ENDED = { statusCode: 410, body: /This link no longer works\./ }

t.test('a changed password is announced; the link ends everything, and the user sets a new one', async t => {
  const { app, stores, mails, mailWith, send, open, press, signIn, isSignedIn, refresh, ann } = await prepareNotMe(t)
  t.equal(await refresh(), 200)
  t.equal((await send('password', { password: 'correct horse', new_password: 'thief staple' })).statusCode, 303)
  const announced = await mailWith('Your password was changed at id.example')
  const { text, html } = readMail(announced)
  t.match(text, /The password of your account at id\.example was changed\.\s+Your user name is ann\.\s+If this wasn't you, open this link within 7 days to sign everyone out and set a new password:/)
  const path = pathIn(announced)
  t.same(html.match(/https?:[^"]+/g), [`https://id.example${path}`])

  const page = await open(path)
  t.match(page, { statusCode: 200, headers: { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } })
  t.match(page.body, /<strong>Your password was changed<\/strong>, <time .*<strong>ann<\/strong>.*We'll email you a link/s)
  t.equal(await isSignedIn(), true, 'a scanner that opens the link does nothing')

  t.match(await press(path), { statusCode: 200, body: /Everyone is signed out.*Check your email/s })
  t.equal(await isSignedIn(), false)
  t.equal(await refresh(), 400)
  for (const password of ['correct horse', 'thief staple', '']) t.equal(await signIn(password), 403)
  t.equal((await ann()).passwordSetAt === null, false, 'it is no invitation')

  const mail = await mailWith('Set a new password at id.example')
  t.same(mail.to, ['ann@example.com'])
  const link = pathIn(mail).split('link=')[1]!
  t.match(await new Browser(app).post('/set-password', { link, new_password: 'battery staple' }), { statusCode: 200 })
  t.equal(await signIn('battery staple'), 303)
  for (const answer of [await open(path), await press(path)]) t.match(answer, ENDED, 'it works once')
  t.equal(await signIn('battery staple'), 303)
  t.equal(mails.filter(it => subjectOf(it).startsWith('Set a new password')).length, 1)
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'not-me' }, 9), [{ outcome: 'mailed', userId: (await ann()).id, details: {} }])
})

t.test('a link removes the factor that its email announced, and no other', async t => {
  const { app, stores, ann, issue, open, press } = await prepareNotMe(t)
  const totp = await addAuthenticator(stores, loadConfig({}), await ann())
  const [first, second] = [await addPasskey(stores, await ann()), await addPasskey(stores, await ann())]
  const trusted = { id: 'one', userAgent: null, createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) }
  await stores.trustedBrowsers.add(await ann(), trusted)
  const factors = async () => {
    const { authenticator, passkeys, recoveryCodes } = await stores.factors.find((await ann()).id)
    return { app: authenticator !== null, passkeys: passkeys.map(({ id }) => id), recoveryCodes }
  }
  const path = await issue({ factor: { kind: 'passkey', id: second.id } })
  t.match((await open(path)).body, '<li>The passkey is removed.</li>')
  t.match((await press(path)).body, 'The passkey was removed.')
  t.same(await factors(), { app: true, passkeys: [first.id], recoveryCodes: 10 })
  t.same(await stores.trustedBrowsers.list((await ann()).id, new Date()), [], 'trust ends with the sessions')

  for (const factor of [undefined, { kind: 'passkey', id: totp.id }, { kind: 'totp', id: first.id }, { kind: 'passkey', id: second.id }] as const) {
    const answer = await press(await issue({ factor }))
    t.equal(answer.statusCode, 200)
    t.notMatch(answer.body, 'was removed')
    t.same(await factors(), { app: true, passkeys: [first.id], recoveryCodes: 10 })
  }
  const other = { id: 'other', username: 'bob', passwordHash: 'x', demo: false }
  await stores.users.add(other)
  const foreign = await addPasskey(stores, (await stores.users.find('bob'))!)
  await press(await issue({ factor: { kind: 'passkey', id: foreign.id } }))
  t.equal((await stores.factors.find('other')).passkeys.length, 1, 'another user\'s stays')

  t.match((await press(await issue({ factor: { kind: 'totp', id: totp.id } }))).body, 'The authenticator app was removed.')
  t.same(await factors(), { app: false, passkeys: [first.id], recoveryCodes: 10 })
  await press(await issue({ factor: { kind: 'passkey', id: first.id } }))
  t.same(await factors(), { app: false, passkeys: [], recoveryCodes: 0 }, 'recovery codes go with the last factor')
  await app.auditTrail.flush()
  const removed = (await stores.audit.list({ event: 'not-me' }, 20)).map(({ details }) => details.removed)
  t.same(removed.filter(it => it !== undefined), ['passkey', 'totp', 'passkey'])
})

t.test('the required factor of a role is removed, too', async t => {
  const { stores, ann, issue, press } = await prepareNotMe(t)
  await stores.roles.add('staff', [], 'urn:frontdesk:acr:mfa')
  await stores.roles.assign('ann', ['staff'])
  const { id } = await addAuthenticator(stores, loadConfig({}), await ann())
  t.equal((await press(await issue({ factor: { kind: 'totp', id } }))).statusCode, 200)
  t.equal((await ann()).factors, null)
})

t.test('the previous address ends everything, but gets no link; the new one loses its verification', async t => {
  const { app, stores, mails, mailWith, browser, send, press, open, ann, signIn, isSignedIn, refresh } = await prepareNotMe(t)
  const email = 'thief@example.com'
  const asked = await send('details', { shown_email: 'ann@example.com', email })
  const code = codeIn(await mailWith('Your code for'))
  await browser.post('/account', { transaction: formTokenOf(asked), decision: 'enter-address-code', email, code })
  await mailWith('Verify your email address')
  const announced = await mailWith('Your email address was changed at id.example')
  t.same(announced.to, ['ann@example.com'])
  t.match(readMail(announced).text, 'If this wasn\'t you, open this link within 7 days to sign everyone out, then contact your administrator:')
  await stores.profiles.verifyEmail(await ann(), 'thief@example.com', anyone.mayEnroll)
  const handed = await createPasswordLinks(stores, loadConfig({})).issue(await ann(), { mailedTo: 'thief@example.com' }, app.clock.now())
  t.match((await open(pathIn(announced))).body, 'contact your administrator')
  t.match(await press(pathIn(announced)), { statusCode: 200, body: /Contact your administrator/ })
  t.same([await isSignedIn(), await refresh(), await signIn('correct horse')], [false, 400, 403])
  t.match(await stores.profiles.findAny('ann'), { email: 'thief@example.com', emailVerified: false })
  t.match(await new Browser(app).get(`/set-password?link=${handed}`), { statusCode: 410 })
  t.same(await stores.profiles.findRecipients('thief@example.com'), [], 'a forgotten password is mailed to none')
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'not-me' }, 9), [{ outcome: 'other address' }])
  t.same(mails.filter(it => subjectOf(it).startsWith('Set a new password')), [])
})

t.test('each link works once, whatever was used before; not after a week, nor for a disabled or removed user', async t => {
  const { app, stores, issue, open, press, ann } = await prepareNotMe(t)
  const links = [await issue(), await issue()]
  for (const link of links) t.equal((await press(link)).statusCode, 200)
  for (const link of links) t.match(await press(link), ENDED)
  t.equal((await open(await issue({}, NOT_ME_LINK_TTL - 60))).statusCode, 200)
  const handed = await createPasswordLinks(stores, loadConfig({})).issue(await ann(), {}, app.clock.now())
  const about = { userId: (await ann()).id, mailedTo: 'ann@example.com', what: 'off' } as const
  const foreign = await createNotMeLinks({ secretKey: 'of another server', issuer: '' }).issue(about, app.clock.now())
  const before = await ann()
  for (const link of [await issue({}, NOT_ME_LINK_TTL + 1), foreign, `?link=${handed}`, '', 'x.y.z']) t.match(await press(link), ENDED)
  t.same(await ann(), before)
  const secret = (await issue()).split('link=')[1]
  t.equal((await open(`/set-password?link=${secret}`)).statusCode, 410, 'it sets no password')

  const last = await issue()
  await stores.users.setDisabled('ann', new Date())
  for (const answer of [await open(last), await press(last)]) t.match(answer, ENDED)
  await stores.users.setDisabled('ann', null)
  t.equal((await open(last)).statusCode, 200, 'the link was not used up')
  await stores.users.remove('ann')
  t.match(await press(last), ENDED)
})

t.test('of 20 uses at once, one ends access and sends an email', async t => {
  const { mails, mailWith, issue, press, ann } = await prepareNotMe(t)
  const [link, { epoch }] = [await issue(), await ann()]
  const answers = await Promise.all(Array.from({ length: 20 }, async () => (await press(link)).statusCode))
  t.same(answers.sort(), [200, ...Array(19).fill(410)])
  t.equal((await ann()).epoch, epoch + 1)
  await mailWith('Set a new password')
  t.equal(mails.filter(it => subjectOf(it).startsWith('Set a new password')).length, 1)
})

t.test('no log line holds a link; without email, there is no page', async t => {
  const { logs, issue, open, press } = await prepareNotMe(t)
  const link = await issue()
  await open(link)
  await press(link)
  t.notOk(logs.join('').includes(link.split('link=')[1]!))
  const { app } = await build(t)
  t.equal((await new Browser(app).get(link)).statusCode, 404)
})
