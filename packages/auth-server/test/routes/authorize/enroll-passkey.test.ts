import type { LightMyRequestResponse } from 'fastify'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { makeRecoveryCodes } from '../../../src/factors/recovery-code.js'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { prepareEnrolling } from '../../support/enrolling.js'
import { addPasskey } from '../../support/factors.js'
import { creationOf } from '../../support/passkey-page.js'
import { requestsCode } from '../../support/second-step.js'

export const onBothDatabases = true

const CREATE = 'Create your passkey'

/** An app that requires a passkey. */
async function prepare (t: Test) {
  const prepared = await prepareEnrolling(t)
  await prepared.stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  const { app, stores, ann } = prepared
  return {
    ...prepared,
    /** Whether a page that follows the set-up continues to the callback, with tokens that say so. */
    async continues (browser: ReturnType<typeof prepared.open>, page: LightMyRequestResponse) {
      const answer = await prepared.press(browser, page, 'allow')
      t.equal(answer.statusCode, 303)
      const { access_token: accessToken } = (await post(app, '/token', exchangeForm(queryOf(answer).code!))).json()
      t.match(decodeJwt(accessToken), { acr: 'phr', amr: ['pwd', 'pop', 'mfa'] })
      t.equal((await browser.get(`/consent?${codeQuery()}`)).statusCode, 303, 'not asked again')
    },
    kinds: async () => (await ann()).factors,
    passkeys: async () => (await stores.factors.find((await ann()).id)).passkeys.length
  }
}

t.test('a user without a factor sets up a passkey with a mailed code, and continues to the app', async t => {
  const { app, stores, open, enterPassword, press, codeIn, mailOf, continues, kinds } = await prepare(t)
  const browser = open()
  const refused = await enterPassword(browser)
  t.match(refused, { statusCode: 403, body: /Your account needs a passkey/ })
  t.match(refused.body, 'First, we\'ll email a code to your verified address')
  const asked = await press(browser, refused, 'mail-code')
  for (const page of [refused, asked]) {
    t.equal((await press(browser, page, 'confirm-passkey', creationOf(page))).statusCode, 403, 'not before the code')
  }
  const page = await press(browser, asked, 'enter-code', { code: await codeIn(0) })
  t.match(page.body, CREATE)
  t.match(page.body, 'Passkeys need JavaScript')
  t.notMatch(page.body, 'If you already have one', 'there is none')
  t.match(page.headers['content-security-policy'], /script-src 'sha256-/)
  t.equal(await kinds(), null)
  t.equal((await press(browser, page, 'confirm-passkey', creationOf(asked))).statusCode, 409, 'for another page')
  const saved = await press(browser, page, 'confirm-passkey', creationOf(page))
  t.match(saved, { statusCode: 200, body: /Save your recovery codes/ })
  t.equal(saved.body.match(/<li><code>/g)?.length, 10)
  t.match(await mailOf(1), 'A passkey was added')
  t.equal((await press(browser, page, 'confirm-passkey', creationOf(page))).statusCode, 409, 'once')
  await continues(browser, saved)
  t.equal(await kinds(), 'passkey')
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'factor' }, 10), [{ outcome: 'passkey-added' }])
})

t.test('a user with an authenticator app uses it first, and then sets up a passkey', async t => {
  const { enroll, open, enterPassword, enterCode, press, mails, continues, kinds } = await prepare(t)
  const { code } = await enroll()
  const browser = open()
  const asked = await enterPassword(browser)
  t.ok(requestsCode(asked))
  t.equal((await press(browser, asked, 'confirm-passkey', creationOf(asked))).statusCode, 409, 'not before the code')
  t.equal((await press(browser, asked, 'mail-code')).statusCode, 409, 'and not with a code by email')
  const page = await enterCode(browser, asked, code())
  t.match(page.body, CREATE)
  t.match(page.body, 'If you already have one')
  t.notMatch((await browser.get('/account')).body, 'value="everywhere"', 'no session yet')
  const added = await press(browser, page, 'confirm-passkey', creationOf(page))
  t.match(added.body, 'Passkey added')
  await continues(browser, added)
  t.equal(await kinds(), 'totp passkey')
  t.notMatch(mails.map(({ source }) => source).join(''), /: \d{8}/)
})

t.test('so does one who is signed in: a session, which can be stolen, is not enough', async t => {
  const { stores, enroll, open, enterPassword, enterCode, press, continues } = await prepare(t)
  await stores.clients.put(codeClient())
  const { codes } = await enroll()
  const [withCode, withoutCode] = [open(), open('192.0.2.2')]
  t.equal((await enterCode(withCode, await enterPassword(withCode), codes[0]!)).statusCode, 303)
  await enterCode(withoutCode, await enterPassword(withoutCode), codes[1]!, { trust: 'yes' })
  for (const name of withoutCode.cookies.keys()) if (name.endsWith('session')) withoutCode.cookies.delete(name)
  t.equal((await enterPassword(withoutCode)).statusCode, 303, 'a trusted browser')
  await stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  const asked = await withoutCode.get(`/consent?${codeQuery()}`)
  t.ok(requestsCode(asked))
  t.match((await enterCode(withoutCode, asked, codes[2]!)).body, CREATE)
  const again = await withCode.get(`/consent?${codeQuery()}`)
  t.ok(requestsCode(again), 'although the session has used a code')
  const page = await enterCode(withCode, again, codes[3]!)
  t.match(page.body, CREATE)
  await continues(withCode, await press(withCode, page, 'confirm-passkey', creationOf(page)))
})

t.test('a user who lost the passkey adds another one after a recovery code', async t => {
  const { stores, ann, open, enterPassword, enterCode, press, continues, passkeys } = await prepare(t)
  await addPasskey(stores, await ann())
  const { codes, hashes } = makeRecoveryCodes()
  await stores.factors.recoveryCodes.replace(await ann(), hashes)
  const browser = open()
  const asked = await enterPassword(browser)
  t.match(asked.body, 'Use your passkey')
  const page = await enterCode(browser, asked, codes[0]!)
  t.match(page.body, CREATE)
  await continues(browser, await press(browser, page, 'confirm-passkey', creationOf(page)))
  t.equal(await passkeys(), 2)
})

t.test('the proof of a page ends with the password, the address and the factors that it was for', async t => {
  const { stores, ann, enroll, open, enterPassword, press, codeIn, kinds } = await prepare(t)
  const browser = open()
  const begin = async (index: number) =>
    await press(browser, await press(browser, await enterPassword(browser), 'mail-code'), 'enter-code', { code: await codeIn(index) })
  const confirm = async (page: LightMyRequestResponse) => (await press(browser, page, 'confirm-passkey', creationOf(page))).statusCode
  const first = await begin(0)
  await stores.profiles.change('ann', { email: 'new@example.com', emailVerified: true })
  t.equal(await confirm(first), 409, 'address')
  const second = await begin(1)
  await stores.users.setPassword('ann', (await ann()).passwordHash)
  t.equal(await confirm(second), 409, 'password')
  const third = await begin(2)
  await enroll()
  t.equal(await confirm(third), 409, 'factor')
  t.equal(await kinds(), 'totp')
})

t.test('at the account page, too', async t => {
  const { stores, ann, enroll, open, press, kinds } = await prepare(t)
  await stores.roles.add('boss', ['x'], 'phr')
  await stores.roles.assign((await ann()).id, ['boss'])
  const { code } = await enroll()
  const [browser, at] = [open(), '/account']
  const asked = await press(browser, await browser.get(at), 'sign-in', { at, username: 'ann', password: 'correct horse' })
  t.ok(requestsCode(asked))
  const page = await press(browser, asked, 'sign-in', { at, code: code() })
  t.match(page.body, CREATE)
  const added = await press(browser, page, 'confirm-passkey', { at, ...creationOf(page) })
  t.match(await press(browser, added, 'sign-in', { at }), { statusCode: 200, body: /value="everywhere"/ })
  t.equal(await kinds(), 'totp passkey')
  const refused = await press(browser, await browser.get('/account/passkeys'), 'remove', {
    at: '/account/passkeys', password: 'correct horse', passkey: (await stores.factors.find((await ann()).id)).passkeys[0]!.id
  })
  t.match(refused, { statusCode: 409, body: /One of your roles requires a passkey\. Add another passkey first\./ })
  const off = await press(browser, await browser.get('/account/two-step'), 'turn-off', { at: '/account/two-step', password: 'correct horse' })
  t.equal(off.statusCode, 303)
})

t.test('there, a session from before a role required one adds it after a code', async t => {
  const { stores, ann, enroll, open, press, kinds } = await prepare(t)
  const { codes } = await enroll()
  const [browser, at] = [open(), '/account']
  const asked = await press(browser, await browser.get(at), 'sign-in', { at, username: 'ann', password: 'correct horse' })
  t.match((await press(browser, asked, 'sign-in', { at, code: codes[0]! })).body, /value="everywhere"/)
  await stores.roles.add('boss', ['x'], 'phr')
  await stores.roles.assign((await ann()).id, ['boss'])
  const again = await browser.get(at)
  t.ok(requestsCode(again))
  const page = await press(browser, again, 'sign-in', { at, code: codes[1]! })
  t.match(page.body, CREATE)
  const added = await press(browser, page, 'confirm-passkey', { at, ...creationOf(page) })
  t.match(added.body, 'Passkey added')
  t.match(await press(browser, added, 'sign-in', { at }), { statusCode: 200, body: /value="everywhere"/ })
  t.equal(await kinds(), 'totp passkey')
})
