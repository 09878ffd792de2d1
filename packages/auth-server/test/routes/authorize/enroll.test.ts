import { decodeJwt } from 'jose'
import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { createMailedCodes } from '../../../src/sign-in/mailed-code.js'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { confirmationOf, prepareEnrolling } from '../../support/enrolling.js'
import { LANES } from '../../support/races/in-flight.js'
import { prepareSecondStep } from '../../support/second-step.js'

export const onBothDatabases = true

const ROUNDS = 25
const isSignedIn = ({ body }: { body: string }) => body.includes('value="everywhere"')

for (const more of [{}, { prompt: 'login' }]) {
  t.test(`a mailed code permits setting up an app, and the sign-in goes on to the callback ${JSON.stringify(more)}`, async t => {
    const { app, stores, ann, open, enterPassword, press, mailOf, codeIn } = await prepareEnrolling(t)
    const [browser, search] = [open(), codeQuery({ scope: 'openid customer:read', ...more })]
    const at = `/consent?${search}`
    const refused = await enterPassword(browser, search)
    t.match(refused, { statusCode: 403, body: /Email me a code/ })
    const asked = await press(browser, refused, 'mail-code', { at })
    t.match(asked, { statusCode: 200, body: /Check your email/ })
    t.match(await mailOf(0), 'Someone entered your password')
    const code = await codeIn(0)
    t.notMatch(asked.body, code)
    const wrong = await press(browser, asked, 'enter-code', { at, code: '00000000' })
    t.match(wrong, { statusCode: 403, body: /isn&#39;t right/ })
    const setUp = await press(browser, wrong, 'enter-code', { at, code: `${code.slice(0, 4)} ${code.slice(4)}` })
    t.match(setUp, { statusCode: 200, body: /Set up your authenticator app/ })
    t.match(await press(browser, wrong, 'enter-code', { at, code }), { statusCode: 403 }, 'the code works once')
    const { app: sealed, code: right } = confirmationOf(setUp)
    const again = await press(browser, setUp, 'confirm-app', { at, app: sealed, code: 'x' })
    t.match(again, { statusCode: 403, body: /That code isn't right/ })
    t.notOk(isSignedIn(await browser.get('/account')), 'no session yet')
    t.equal((await ann()).factors, null, 'nothing stored yet')
    const saved = await press(browser, again, 'confirm-app', { at, app: sealed, code: right })
    t.match(saved, { statusCode: 200, body: /Save your recovery codes/ })
    t.equal(saved.body.match(/<li><code>/g)?.length, 10)
    t.equal((await ann()).factors, 'totp')
    t.match(await mailOf(1), 'Two-step sign-in was turned on')
    const answer = await press(browser, saved, 'allow', { at })
    t.equal(answer.statusCode, 303)
    const { access_token: accessToken } = (await post(app, '/token', exchangeForm(queryOf(answer).code!))).json()
    t.match(decodeJwt(accessToken), { acr: 'urn:frontdesk:acr:mfa', amr: ['pwd', 'otp', 'mfa'] })
    t.match(await press(browser, setUp, 'confirm-app', { at, app: sealed, code: right }), { statusCode: 409 }, 'a factor is not replaced')
    await app.auditTrail.flush()
    t.match(await stores.audit.list({ event: 'factor' }, 10), [{ outcome: 'on', userId: (await ann()).id }])
    t.match(await stores.audit.list({ event: 'mail' }, 10), [{ outcome: 'sent' }])
  })
}

t.test('a session without a factor sets one up with a mailed code', async t => {
  const { stores, ann, open, enterPassword, press, codeIn } = await prepareEnrolling(t)
  await stores.clients.put(codeClient())
  const browser = open()
  t.equal((await enterPassword(browser)).statusCode, 303)
  await stores.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  const refused = await browser.get(`/consent?${codeQuery()}`)
  t.match(refused, { statusCode: 403, body: /Email me a code/ })
  const setUp = await press(browser, await press(browser, refused, 'mail-code'), 'enter-code', { code: await codeIn(0) })
  const saved = await press(browser, setUp, 'confirm-app', confirmationOf(setUp))
  t.equal((await press(browser, saved, 'allow')).statusCode, 303)
  t.equal((await ann()).factors, 'totp')
})

t.test('scopes that the user cannot grant are shown after the set-up, and not as a change', async t => {
  const { stores, open, enterPassword, press, codeIn } = await prepareEnrolling(t)
  await stores.roles.add('editor', ['customer:write'])
  const [browser, search] = [open(), codeQuery({ scope: 'customer:read customer:write' })]
  const at = `/consent?${search}`
  const asked = await press(browser, await enterPassword(browser, search), 'mail-code', { at })
  const setUp = await press(browser, asked, 'enter-code', { at, code: await codeIn(0) })
  const saved = await press(browser, setUp, 'confirm-app', { at, ...confirmationOf(setUp) })
  const shown = await press(browser, saved, 'allow', { at })
  t.match(shown, { statusCode: 200, body: /You can't allow it to/ })
  t.equal((await press(browser, shown, 'allow', { at })).statusCode, 303)
})

t.test('only a user with email and a verified address can; the password alone does not suffice', async t => {
  const { stores, open, enterPassword, press } = await prepareEnrolling(t)
  const browser = open()
  const refused = await enterPassword(browser)
  t.match(await press(browser, refused, 'enter-code', { code: '12345678' }), { statusCode: 403 })
  t.match(await press(browser, refused, 'confirm-app', { code: '123456', app: 'x' }), { statusCode: 409 })
  t.match(await press(open(), refused, 'mail-code'), { statusCode: 403 }, 'another browser')
  await stores.profiles.change('ann', { emailVerified: false })
  t.match(await enterPassword(browser), { statusCode: 403, body: /Ask your administrator/ })
  t.equal((await press(browser, refused, 'mail-code')).statusCode, 409, 'the address was changed')
  await stores.profiles.change('ann', { emailVerified: true })
  await stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  t.match((await enterPassword(browser)).body, 'Set up a passkey now.', 'an authenticator app does not suffice')
  const { stores: silent, open: openSilent, enterPassword: enterSilent } = await prepareSecondStep(t)
  await silent.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  await silent.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  t.match((await enterSilent(openSilent())).body, 'Ask your administrator', 'without email')
})

t.test('a changed password, address or factor invalidates a mailed code', async t => {
  const { stores, ann, enroll, open, enterPassword, press, codeIn } = await prepareEnrolling(t)
  const browser = open()
  const ask = async () => await press(browser, await enterPassword(browser), 'mail-code')
  const first = await ask()
  await stores.profiles.change('ann', { email: 'thief@example.com', emailVerified: true })
  t.equal((await press(browser, first, 'enter-code', { code: await codeIn(0) })).statusCode, 403, 'address')
  const second = await ask()
  await stores.users.setPassword('ann', (await ann()).passwordHash)
  t.equal((await press(browser, second, 'enter-code', { code: await codeIn(1) })).statusCode, 409, 'password')
  const third = await ask()
  await enroll()
  t.equal((await press(browser, third, 'enter-code', { code: await codeIn(2) })).statusCode, 409, 'factor')
})

t.test('emails and wrong codes are limited', async t => {
  const { open, enterPassword, press, mails, codeIn } = await prepareEnrolling(t)
  const browser = open()
  const page = await enterPassword(browser)
  let asked = page
  for (let i = 0; i < 3; i++) asked = await press(browser, page, 'mail-code')
  await codeIn(2)
  t.match(await press(browser, asked, 'mail-code'), { statusCode: 429, headers: { 'retry-after': /\d+/ }, body: /Check your email/ })
  t.equal(mails.length, 3)
  const answers = []
  for (let i = 0; i < 6; i++) answers.push((await press(browser, asked, 'enter-code', { code: '00000000' })).statusCode)
  t.same(answers, [403, 403, 403, 403, 403, 429])
  t.equal((await press(browser, asked, 'enter-code', { code: await codeIn(2) })).statusCode, 429, 'a right one, too')
})

t.test('a mailed code works exactly once, in 16 lanes', async t => {
  const { stores, ann } = await prepareEnrolling(t)
  const user = await ann()
  const texts: string[] = []
  const outbox = { put: ({ text }: { text: string }) => { texts.push(text) }, close: async () => {} }
  let sources = 0
  // Another throttle: the limit of emails is not raced here.
  const throttle = { count: async () => ({ retryAfter: 0, used: 0 }), takeBack: async () => {}, reset: async () => {} }
  const throttles = { ...stores.throttles, under: () => throttle }
  const codes = createMailedCodes({ stores: { ...stores, throttles }, secrets: loadConfig({}), outbox, site: 'id.example' })
  let used = 0
  for (let round = 0; round < ROUNDS; round++) {
    const sent = await codes.send(user, { purpose: 'factor', source: `192.0.2.${++sources}`, language: 'en' }, () => {})
    const sealed = sent !== null && 'sealed' in sent ? sent.sealed : ''
    const code = /: (\d{8})/.exec(texts[round]!)![1]!
    t.equal(await codes.use(user, { purpose: 'address', sealed, code }), null, 'not for another purpose')
    const results = await Promise.all(Array.from({ length: LANES }, async () => await codes.use(user, { purpose: 'factor', sealed, code })))
    used += results.filter(it => it === 'ann@example.com').length
  }
  t.equal(used, ROUNDS)
})
