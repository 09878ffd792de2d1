import { createPasskey } from '@frontdesk/test-kit/passkey'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { challengeOf } from '../../../src/factors/relying-party.js'
import { addPasskey, SITE } from '../../support/factors.js'
import { formTokenOf, type Browser } from '../../support/helper.js'
import { signedForm } from '../../support/passkey-sign-in.js'
import { prepareSecondStep } from '../../support/second-step.js'

export const onBothDatabases = true

const PASSWORD = { username: 'ann', password: 'correct horse' }

async function begin (t: Test) {
  const prepared = await prepareSecondStep(t)
  const submit = async (browser: Browser, page: LightMyRequestResponse, fields: Record<string, string>) =>
    await browser.post('/account', { transaction: formTokenOf(page), decision: 'sign-in', ...fields })
  const enterPassword = async (browser: Browser) => await submit(browser, await browser.get('/account'), PASSWORD)
  return { ...prepared, submit, enterPassword }
}

/** The form that adds a passkey without asking; `null`: the page has none. */
function upgradeIn ({ body }: LightMyRequestResponse) {
  const [, options, transaction] = /data-upgrade="([^"]+)"[^]*?name="transaction" value="([^"]+)"/.exec(body) ?? []
  return options === undefined || transaction === undefined ? null : { options: JSON.parse(options.replaceAll('&quot;', '"')), transaction }
}

/** The browser's response, without asking. */
const formOf = (transaction: string, passkey = createPasskey(SITE), signed: object = {}) => ({
  transaction,
  decision: 'confirm',
  name: 'Chrome on Linux',
  code: passkey.create({ challenge: challengeOf(transaction), isVerified: false, isPresent: false, ...signed })
})

t.test('right after the password and the second factor, the browser can add a passkey without asking, once', async t => {
  const { app, stores, ann, enroll, open, submit, enterPassword } = await begin(t)
  const { code } = await enroll()
  const browser = open()
  const page = await submit(browser, await enterPassword(browser), { code: code() })
  const upgrade = upgradeIn(page)!
  t.match(upgrade.options, {
    challenge: challengeOf(upgrade.transaction), rp: { id: SITE.rpId }, authenticatorSelection: { userVerification: 'preferred' }
  })
  t.match(page.headers['content-security-policy'], /script-src 'sha256-/)
  t.equal(upgradeIn(await browser.get('/account')), null, 'not on other pages of the session')
  const form = formOf(upgrade.transaction)
  const added = await browser.post('/account/passkeys', form)
  t.match([added.statusCode, added.headers.location], [303, '/account'])
  t.match((await browser.get('/account')).body, /role="status"[^]*A passkey was saved in this browser\./)
  const { id } = await ann()
  t.match(await stores.factors.passkeys.list(id), [{ name: 'Chrome on Linux' }])
  t.match(await stores.sessions.list(id, new Date()), { sessions: { length: 1 } })
  t.match((await browser.get('/account/two-step')).statusCode, 200, 'the session keeps its level')
  t.equal((await browser.post('/account/passkeys', form)).statusCode, 409, 'again')
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'factor' }, 1), [{ outcome: 'passkey-added' }])
})

t.test('a sign-in with a password alone, in a trusted browser or with a passkey does not', async t => {
  const { stores, ann, enroll, open, submit, enterPassword } = await begin(t)
  const browser = open()
  const page = await enterPassword(browser)
  t.match(page.body, 'value="everywhere"')
  t.equal(upgradeIn(page), null, 'a password alone')
  const { codes } = await enroll()
  const later = await submit(browser, await browser.get('/account'), { code: codes[0]! })
  t.equal(upgradeIn(later), null, 'a session that used the password before')
  const trusted = open()
  t.ok(upgradeIn(await submit(trusted, await enterPassword(trusted), { code: codes[1]!, trust: 'yes' })))
  for (const name of trusted.cookies.keys()) if (name.endsWith('session')) trusted.cookies.delete(name)
  const again = await enterPassword(trusted)
  t.match(again.body, 'value="everywhere"')
  t.equal(upgradeIn(again), null, 'a trusted browser')
  const passkey = await addPasskey(stores, await ann())
  const other = open()
  const signedIn = await other.post('/account', { ...signedForm(await other.get('/account'), passkey), decision: 'sign-in' })
  t.match(signedIn.body, 'value="everywhere"')
  t.equal(upgradeIn(signedIn), null, 'a passkey')
})

t.test('the form adds nothing to another session, after access was revoked, or for another page', async t => {
  const { stores, ann, enroll, open, submit, enterPassword } = await begin(t)
  const { codes } = await enroll()
  const browser = open()
  const { transaction } = upgradeIn(await submit(browser, await enterPassword(browser), { code: codes[0]! }))!
  const send = async (by: Browser, form: Record<string, string>) => (await by.post('/account/passkeys', form)).statusCode
  const plain = formTokenOf(await browser.get('/account/passkeys'))
  t.equal(await send(browser, formOf(plain)), 409)
  t.equal(await send(browser, { ...formOf(plain), transaction }), 409)
  const other = open()
  await submit(other, await enterPassword(other), { code: codes[1]! })
  t.equal(await send(other, formOf(transaction)), 403)
  await stores.users.endAccess((await ann()).id)
  t.not(await send(browser, formOf(transaction)), 303)
  t.same(await stores.factors.passkeys.list((await ann()).id), [])
})
