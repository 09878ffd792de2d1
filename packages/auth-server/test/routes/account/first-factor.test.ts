import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { codeClient } from '../../support/code-flow.js'
import { confirmationOf } from '../../support/enrolling.js'
import { addAuthenticator } from '../../support/factors.js'
import { Browser, build, formTokenOf } from '../../support/helper.js'
import { readMail } from '../../support/mail-server.js'
import { codeIn, enterMailedCode, prepareMailed } from '../../support/mailed-code.js'
import { creationOf } from '../../support/passkey-page.js'

export const onBothDatabases = true

const MFA = 'urn:frontdesk:acr:mfa'
const PASSWORD = { password: 'correct horse' }
const ASK = 'Ask your administrator for a set-up link.'

/** The pages that set up a factor, their buttons, and the form that confirms what their last page shows. */
const PAGES = [
  { path: '/account/two-step', button: 'set-up', title: 'Set up your authenticator app', factors: 'totp', confirmation: confirmationOf },
  { path: '/account/passkeys', button: 'add', title: 'Create your passkey', factors: 'passkey', confirmation: creationOf }
] as const

for (const { path, button, title, factors, confirmation } of PAGES) {
  t.test(`${path}: the first factor needs the mailed code`, async t => {
    const { app, stores, browser, press, received, ann } = await prepareMailed(t)
    t.match((await browser.get(path)).body, 'First, we\'ll email a code to your verified address')
    t.match(await press(path, button, { password: 'wrong' }), { statusCode: 403, body: /Wrong password\./ })
    const asked = await press(path, button, { ...PASSWORD, name: 'My <phone>' })
    t.match(asked, { statusCode: 200, body: /Check your email/ })
    t.match(readMail(await received(1)).text, 'Someone entered your password at id.example, and is setting up two-step sign-in.')
    const code = codeIn(await received(1))
    t.notMatch(asked.body, code)
    for (const wrong of ['', '00000000']) {
      t.match(await press(path, 'enter-code', { code: wrong }, asked), { statusCode: 403, body: /isn&#39;t right/ })
    }
    t.notMatch((await press(path, 'enter-code', { code })).body, title, 'on another page')
    const fields: Record<string, string> = path.endsWith('passkeys') ? { code, name: 'My <phone>' } : { code }
    const setUp = await press(path, 'enter-code', fields, asked)
    t.match(setUp.body, title)
    if (path.endsWith('passkeys')) t.match(asked.body, /name="name" value="My &lt;phone&gt;"/)
    t.equal((await press(path, 'enter-code', fields, asked)).statusCode, 403, 'the code works once')
    t.equal((await ann()).factors, null, 'nothing is stored')
    const on = await press(path, 'confirm', confirmation(setUp), setUp)
    t.match(on.body, 'Save your recovery codes')
    t.equal((await ann()).factors, factors)
    await app.auditTrail.flush()
    t.match(await stores.audit.list({ event: 'mail' }, 10), [{ outcome: 'sent', userId: (await ann()).id }])
    const outcomes = (await stores.audit.list({ event: 'sign-in' }, 20)).map(({ outcome }) => outcome)
    t.equal(outcomes.filter(it => it === 'wrong code').length, 3)
  })

  t.test(`${path}: another code can be sent, within the limits`, async t => {
    const { press, received, mails } = await prepareMailed(t)
    let page = await press(path, button, PASSWORD)
    for (let i = 0; i < 2; i++) page = await press(path, 'mail-code', {}, page)
    await received(3)
    const last = await press(path, 'mail-code', {}, page)
    t.match(last, { statusCode: 429, headers: { 'retry-after': /^\d+$/ }, body: /Check your email/ })
    t.match((await press(path, 'enter-code', { code: codeIn(mails[2]!) }, last)).body, title, 'the page still has the last code')
  })

  t.test(`${path}: where a factor is required and no code can be mailed, an administrator must help`, async t => {
    for (const hasMail of [true, false]) {
      const { stores, press, browser, ann } = hasMail ? await prepareMailed(t) : await withoutMail(t)
      const look = async (what: string, isRefused = true) => {
        const { body } = await browser.get(path)
        t.equal(body.includes(ASK), isRefused, what)
        t.equal(body.includes(`value="${button}"`), !isRefused, what)
        const answer = await press(path, button, PASSWORD, await browser.get('/account'))
        t.equal(answer.statusCode, isRefused ? 409 : 200, what)
        t.equal(answer.body.includes(title), !isRefused, what)
      }
      if (hasMail) await stores.profiles.change('ann', { emailVerified: false })
      await look('nothing is required', false)
      await stores.clients.put(codeClient({ requiredAcr: MFA }))
      await look('an app requires one')
      await stores.clients.setDisabled('app', new Date())
      await look('it is disabled', false)
      await stores.roles.add('clerk', ['x'], 'phr')
      await look('not a role of the user', false)
      await stores.roles.assign((await ann()).id, ['clerk'])
      await look('a role of the user')
    }
  })
}

t.test('a console that requires a factor is an app that does', async t => {
  const { press, browser } = await withoutMail(t, { ADMIN: 'true', ADMIN_ACR: MFA })
  t.match((await browser.get('/account/two-step')).body, ASK)
  t.equal((await press('/account/two-step', 'set-up', PASSWORD, await browser.get('/account'))).statusCode, 409)
})

t.test('a set-up ends if the password no longer suffices, or the address of the code changed', async t => {
  for (const { path, button, confirmation } of PAGES) {
    const { stores, press, browser, received, ann } = await prepareMailed(t)
    const confirm = async (page: LightMyRequestResponse) => {
      t.equal((await press(path, 'confirm', confirmation(page), page)).statusCode, 409, path)
      t.equal((await ann()).factors, null)
    }
    await stores.profiles.change('ann', { emailVerified: false })
    const first = await press(path, button, PASSWORD)
    await stores.profiles.change('ann', { emailVerified: true })
    await confirm(first)
    await stores.profiles.change('ann', { emailVerified: false })
    const second = await press(path, button, PASSWORD)
    await stores.clients.put(codeClient({ requiredAcr: MFA }))
    await confirm(second)
    await stores.profiles.change('ann', { emailVerified: true })
    const third = await enterMailedCode({ browser, path, page: await press(path, button, PASSWORD), received })
    await stores.profiles.change('ann', { email: 'new@example.com', emailVerified: true })
    await confirm(third)
    await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
    const fourth = await enterMailedCode({ browser, path, page: await press(path, button, PASSWORD), received, count: 2 })
    await addAuthenticator(stores, loadConfig({}), await ann())
    t.match((await press(path, 'confirm', confirmation(fourth), fourth)).body, 'Enter your code', 'another factor was set up first')
  }
})

t.test('a session that has used a factor needs no mailed code', async t => {
  const { stores, press, browser, received, ann, mails } = await prepareMailed(t)
  const path = '/account/two-step'
  const setUp = await enterMailedCode({ browser, path, page: await press(path, 'set-up', PASSWORD), received })
  await press(path, 'confirm', confirmationOf(setUp), setUp)
  t.match((await press('/account/passkeys', 'add', PASSWORD)).body, 'Create your passkey')
  await stores.factors.removeAll({ id: (await ann()).id })
  t.match((await press(path, 'set-up', PASSWORD)).body, 'Set up your authenticator app')
  t.same(mails.flatMap(it => readMail(it).text.match(/: \d{8}/g) ?? []).length, 1)
})

/** Ann at the account page, without email, and with a verified address that receives none. */
async function withoutMail (t: Parameters<typeof prepareMailed>[0], env: Record<string, string> = {}) {
  const built = await build(t, env)
  await built.stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const browser = new Browser(built.app)
  const press = async (path: string, decision: string, form: Record<string, string>, page?: LightMyRequestResponse) =>
    await browser.post(path, { transaction: formTokenOf(page ?? await browser.get(path)), decision, ...form })
  await press('/account', 'sign-in', { username: 'ann', ...PASSWORD })
  return { ...built, browser, press, ann: async () => (await built.stores.users.find('ann'))! }
}
