import { createPasskey } from '@frontdesk/test-kit/passkey'
import type { LightMyRequestResponse } from 'fastify'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { challengeOf } from '../../../src/factors/relying-party.js'
import { unusableHash } from '../../../src/sign-in/password.js'
import { codeClient, codeQuery } from '../../support/code-flow.js'
import { confirmationOf } from '../../support/enrolling.js'
import { addAuthenticator, SITE } from '../../support/factors.js'
import { Browser, formTokenOf } from '../../support/helper.js'
import { codeIn, prepareMailed } from '../../support/mailed-code.js'
import { creationOf } from '../../support/passkey-page.js'

export const onBothDatabases = true

type Page = LightMyRequestResponse
type Server = Awaited<ReturnType<typeof prepareMailed>>
type Prepared = Server & { readonly mailedCode: () => Promise<string> }

/** Opens a page in the middle of something, and returns what finishes it. */
type Open = (prepared: Prepared) => Promise<() => Promise<Page>>

const CONSENT = `/consent?${codeQuery()}`
const PASSWORD = { password: 'correct horse' }
const [OLD, NEW] = ['ann@example.com', 'new@example.com']

/** Another user with the name and the password of Ann, signed in: a server of its own for each would take longer than what it is for. */
async function replaceAnn (server: Server): Promise<Prepared> {
  const { stores, mails, received, browser, signIn, ann } = server
  const { id, passwordHash } = await ann()
  await stores.profiles.change('ann', { email: null })
  await stores.users.rename('ann', id)
  await stores.users.add({ id: randomUUID(), username: 'ann', passwordHash, demo: false, email: OLD, emailVerified: true })
  browser.cookies.clear()
  await signIn(browser)
  let read = mails.length
  const mailedCode = async (): Promise<string> => {
    const code = codeIn(await received(++read))
    // Notices are sent meanwhile, too.
    return code === 'none' ? await mailedCode() : code
  }
  return { ...server, mailedCode }
}

async function enterPassword ({ app }: Prepared) {
  const browser = new Browser(app, '192.0.2.2')
  return { browser, page: await browser.allow(codeQuery()) }
}

const enroll = async ({ stores, ann }: Prepared) => await addAuthenticator(stores, loadConfig({}), await ann())

/** Enters the mailed code of a page, and confirms what the next page sets up. */
async function finishSetUp (browser: Browser, path: string, page: Page, code: string, confirm: string): Promise<Page> {
  const next = await browser.post(path, { transaction: formTokenOf(page), decision: 'enter-code', code })
  return await browser.post(path, { transaction: formTokenOf(next), decision: confirm, ...confirmationOf(next) })
}

/** By what was begun. */
const PAGES: Readonly<Record<string, Open>> = {
  'second step of an app': async prepared => {
    const { code } = await enroll(prepared)
    const { browser, page } = await enterPassword(prepared)
    return async () => await browser.post(CONSENT, { transaction: formTokenOf(page), decision: 'allow', code: code() })
  },
  'second step of the account page': async prepared => {
    const { code } = await enroll(prepared)
    const browser = new Browser(prepared.app, '192.0.2.2')
    const page = await prepared.signIn(browser)
    return async () => await browser.post('/account', { transaction: formTokenOf(page), decision: 'sign-in', code: code() })
  },
  'mailed code during a sign-in': async prepared => {
    await prepared.stores.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
    const { browser, page } = await enterPassword(prepared)
    const asked = await browser.post(CONSENT, { transaction: formTokenOf(page), decision: 'mail-code' })
    const code = await prepared.mailedCode()
    return async () => await finishSetUp(browser, CONSENT, asked, code, 'confirm-app')
  },
  'set-up during a sign-in': async prepared => {
    await prepared.stores.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
    const { browser, page } = await enterPassword(prepared)
    const asked = await browser.post(CONSENT, { transaction: formTokenOf(page), decision: 'mail-code' })
    const form = { decision: 'enter-code', code: await prepared.mailedCode() }
    const setUp = await browser.post(CONSENT, { transaction: formTokenOf(asked), ...form })
    return async () => await browser.post(CONSENT, { transaction: formTokenOf(setUp), decision: 'confirm-app', ...confirmationOf(setUp) })
  },
  'mailed code for an app': async ({ browser, press, mailedCode }) => {
    const asked = await press('/account/two-step', 'set-up', PASSWORD)
    const code = await mailedCode()
    return async () => await finishSetUp(browser, '/account/two-step', asked, code, 'confirm')
  },
  'creation of a passkey': async ({ press, mailedCode }) => {
    const asked = await press('/account/passkeys', 'add', PASSWORD)
    const creation = await press('/account/passkeys', 'enter-code', { code: await mailedCode() }, asked)
    return async () => await press('/account/passkeys', 'confirm', creationOf(creation), creation)
  },
  'passkey that the browser adds': async prepared => {
    const { browser } = prepared
    const { codes } = await enroll(prepared)
    const form = { decision: 'sign-in', code: codes[0]! }
    await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision: 'switch' })
    const page = await prepared.signIn(browser)
    const { body } = await browser.post('/account', { transaction: formTokenOf(page), ...form })
    const transaction = /data-upgrade="[^"]+"[^]*?name="transaction" value="([^"]+)"/.exec(body)?.[1] ?? ''
    const code = createPasskey(SITE).create({ challenge: challengeOf(transaction) })
    return async () => await browser.post('/account/passkeys', { transaction, decision: 'confirm', name: 'Phone', code })
  },
  'mailed code for a new address': async ({ press, mailedCode }) => {
    const asked = await press('/account', 'details', { shown_email: OLD, email: NEW })
    const form = { email: NEW, code: await mailedCode() }
    return async () => await press('/account', 'enter-address-code', form, asked)
  }
}

/** By what happens meanwhile. The password stays the same, and someone signs in with it again in the same browser. */
const ENDINGS: Readonly<Record<string, (prepared: Prepared) => Promise<unknown>>> = {
  'the password is set': async ({ stores, ann }) => await stores.users.setPassword('ann', (await ann()).passwordHash),
  'access is ended': async ({ stores, ann }) => await stores.users.endAccess((await ann()).id),
  'the user is disabled for a while': async ({ stores }) => {
    await stores.users.setDisabled('ann', new Date())
    await stores.users.setDisabled('ann', null)
  },
  'the user is disabled': async ({ stores }) => await stores.users.setDisabled('ann', new Date()),
  'the user denies a change': async ({ stores, ann }) => {
    const { id: userId, passwordHash } = await ann()
    const link = { userId, idHash: userId, keptUntil: new Date(Date.now() + 60_000), mailedTo: OLD }
    await stores.takeovers.stop(link, unusableHash())
    await stores.users.setPassword('ann', passwordHash)
  }
}

for (const [begun, open] of Object.entries(PAGES)) {
  t.test(`${begun}: nothing that ends access leaves it to be finished`, async t => {
    const server = await prepareMailed(t)
    for (const [what, end] of [['nothing', async () => {}] as const, ...Object.entries(ENDINGS)]) {
      const prepared = await replaceAnn(server)
      const { stores, browser, signIn, ann } = prepared
      await stores.clients.put(codeClient())
      const finish = await open(prepared)
      const before = await stores.factors.find((await ann()).id)
      await end(prepared)
      if (what !== 'nothing') await signIn(browser)
      const { statusCode, headers: { location = '' }, body } = await finish()
      const { passkeys, authenticator } = await stores.factors.find((await ann()).id)
      const profile = await stores.profiles.findAny('ann')
      const isEnrolled = passkeys.length > before.passkeys.length || (authenticator !== null && before.authenticator === null)
      const isFinished = isEnrolled || profile?.email === NEW || String(location).includes('code=') || body.includes('value="everywhere"')
      t.equal(isFinished, what === 'nothing', `${what}: ${statusCode}`)
    }
  })
}
