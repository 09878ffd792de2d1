import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { codeClient, codeQuery } from '../../support/code-flow.js'
import { confirmationOf } from '../../support/enrolling.js'
import { addAuthenticator } from '../../support/factors.js'
import { Browser, formTokenOf } from '../../support/helper.js'
import { prepareMailed } from '../../support/mailed-code.js'
import { creationOf } from '../../support/passkey-page.js'

export const onBothDatabases = true

const CONSENT = `/consent?${codeQuery()}`
const PATHS = ['/account', '/account/two-step', '/account/passkeys', CONSENT]
const CONFIRMATIONS = ['confirm', 'confirm-app', 'confirm-passkey']
const DECISIONS = [
  'enter-code', 'enter-address-code', 'sign-in', 'allow', 'details', 'set-up', 'add', 'remove', 'turn-off', 'codes'
]

/**
 * Submits every button of every page with the form token of each page, with and without a code, and confirms every factor that a response
 * offers.
 */
async function tryEverything (browser: Browser, pages: readonly LightMyRequestResponse[], fields: Record<string, string>): Promise<void> {
  const answers = [...pages]
  const confirm = async (page: LightMyRequestResponse, form: Record<string, string>) => {
    for (const path of PATHS) {
      for (const decision of CONFIRMATIONS) await browser.post(path, { transaction: formTokenOf(page), decision, ...form })
    }
  }
  for (const page of pages) {
    await confirm(page, creationOf(page))
    for (const path of PATHS) {
      for (const decision of DECISIONS) {
        const form = { transaction: formTokenOf(page), decision, email: 'thief@example.com', shown_email: 'ann@example.com', ...fields }
        answers.push(await browser.post(path, form), await browser.post(path, { ...form, code: '00000000' }))
      }
    }
  }
  for (const answer of answers) {
    if (answer.body.includes('Create your passkey')) await confirm(answer, creationOf(answer))
    const app = confirmationOf(answer)
    if (app.app !== '') await confirm(answer, app)
  }
}

t.test('someone who knows the password, but does not read the email, sets up no factor and replaces no address', async t => {
  const { app, stores, browser, press, ann, received } = await prepareMailed(t)
  await stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  const [password, other] = [{ password: 'correct horse' }, new Browser(app, '192.0.2.2')]
  const refused = await other.allow(codeQuery())
  const pages = [
    await browser.get('/account'),
    await press('/account/two-step', 'set-up', password),
    await press('/account/passkeys', 'add', password),
    await press('/account', 'details', { shown_email: 'ann@example.com', email: '' })
  ]
  await received(3)
  await tryEverything(browser, pages, password)
  await tryEverything(other, [refused, await other.post(CONSENT, { transaction: formTokenOf(refused), decision: 'mail-code' })], password)
  t.equal((await ann()).factors, null)
  t.match(await stores.profiles.findAny('ann'), { email: 'ann@example.com', emailVerified: true })
})

t.test('someone with a stolen session that has used a factor, but without the password, changes no factor', async t => {
  const { stores, browser, press, ann } = await prepareMailed(t)
  const { id, codes } = await addAuthenticator(stores, loadConfig({}), await ann())
  await press('/account', 'sign-in', { code: codes[0]! }, await browser.get('/account'))
  await stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  const pages = await Promise.all(PATHS.map(async path => await browser.get(path)))
  await tryEverything(browser, pages, {})
  t.equal((await ann()).factors, 'totp')
  t.equal((await stores.factors.authenticators.find((await ann()).id))?.id, id)
  t.match(await stores.factors.find((await ann()).id), { recoveryCodes: 9 })
  t.match(await stores.profiles.findAny('ann'), { emailVerified: false }, 'the address is replaced, and verified only with the password')
})
