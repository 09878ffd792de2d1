import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.js'
import { codeClient } from '../../support/code-flow.js'
import { addAuthenticator } from '../../support/factors.js'
import { Browser, formTokenOf } from '../../support/helper.js'
import { readMail, type ReceivedMail } from '../../support/mail-server.js'
import { codeIn, prepareMailed } from '../../support/mailed-code.js'

export const onBothDatabases = true

const [PATH, OLD, NEW, MFA] = ['/account', 'ann@example.com', 'new@example.com', 'urn:frontdesk:acr:mfa'] as const

async function prepare (t: Test) {
  const prepared = await prepareMailed(t)
  const { app, stores, press, received } = prepared
  const change = async (email: string, more = {}) => await press(PATH, 'details', { shown_email: OLD, email, ...more })
  const linkIn = (mail: ReceivedMail) => /verify-email\?link=(\S+)/.exec(readMail(mail).text)?.[1] ?? 'none'
  return {
    ...prepared,
    change,
    profile: async () => (await stores.profiles.findAny('ann'))!,
    /** Replaces the verified address, which receives the first email. */
    async replace (email = NEW) {
      const asked = await change(email)
      return await press(PATH, 'enter-address-code', { email, code: codeIn(await received(1)) }, asked)
    },
    /** Enters the password on the page of the link in an email to an address. */
    verify: async (mail: ReceivedMail) =>
      await new Browser(app).post('/verify-email', { link: linkIn(mail), password: 'correct horse' })
  }
}

t.test('a verified address is replaced or removed with a code that is mailed to it; other details are saved before', async t => {
  for (const email of [NEW, '']) {
    const { app, stores, browser, change, press, received, profile, ann } = await prepare(t)
    const asked = await change(email, { name: 'Ann Example' })
    t.match(asked, { statusCode: 200, body: /Check your email/ })
    t.match(await profile(), { name: 'Ann Example', email: OLD, emailVerified: true })
    const mail = await received(1)
    t.same(mail.to, [OLD])
    t.match(readMail(mail).text, /Someone is changing the email address of your account at id\.example\..*someone else is signed in/s)
    t.equal((await press(PATH, 'enter-address-code', { email, code: '00000000' }, asked)).statusCode, 403)
    t.equal((await press(PATH, 'enter-address-code', { email: 'x', code: codeIn(mail) }, asked)).statusCode, 400)
    t.match(await profile(), { email: OLD })
    t.equal((await press(PATH, 'enter-address-code', { email, code: codeIn(mail) }, asked)).statusCode, 303)
    t.match(await profile(), { email: email || null, emailVerified: false })
    t.match((await browser.get(PATH)).body, email === '' ? 'Details saved.' : 'emailed you a link to verify your new address')
    await app.auditTrail.flush()
    const changes = await stores.audit.list({ event: 'profile' }, 10)
    t.match(changes, [{ details: { attributes: ['email'] } }, { details: { attributes: ['name'] }, userId: (await ann()).id }])
  }
})

t.test('the code permits nothing else, and no other code permits it', async t => {
  const { app, stores, browser, change, press, received, profile, ann } = await prepare(t)
  const asked = await change(NEW)
  const code = codeIn(await received(1))
  t.match(await press('/account/two-step', 'enter-code', { code }, asked), { statusCode: 409 })
  t.match(await press(PATH, 'enter-code', { code }, asked), { statusCode: 403 }, 'the sign-in sets up no factor')
  const setUp = await press('/account/two-step', 'set-up', { password: 'correct horse' })
  const other = codeIn(await received(2))
  t.match(await press(PATH, 'enter-address-code', { email: NEW, code: other }, setUp), { statusCode: 403 })
  const form = { transaction: formTokenOf(asked), decision: 'enter-address-code', email: NEW, code }
  t.equal((await new Browser(app).post(PATH, form)).statusCode, 403, 'another browser')
  await stores.profiles.change('ann', { email: 'other@example.com', emailVerified: true })
  t.equal((await press(PATH, 'enter-address-code', { email: NEW, code }, asked)).statusCode, 403, 'the address was changed since')
  t.match(await profile(), { email: 'other@example.com', emailVerified: true })
  t.equal((await ann()).factors, null)
  t.match((await browser.get(PATH)).body, 'other@example.com')
})

t.test('an unverified address, an administrator and a session that has used a factor need no code', async t => {
  const { stores, browser, change, press, profile, ann } = await prepare(t)
  t.equal((await change(OLD, { shown_email: '' })).statusCode, 303, 'the same address')
  t.match(await profile(), { email: OLD, emailVerified: true })
  await stores.profiles.change('ann', { emailVerified: false })
  t.equal((await change(NEW)).statusCode, 303)
  await stores.profiles.change('ann', { email: OLD, emailVerified: true })
  const { codes } = await addAuthenticator(stores, loadConfig({}), await ann())
  await press(PATH, 'sign-in', { code: codes[0]! }, await browser.get(PATH))
  t.equal((await change(NEW)).statusCode, 303)
  t.match(await profile(), { email: NEW, emailVerified: false })
})

t.test('where a factor is required, the password alone verifies no first address', async t => {
  const { stores, change, received, verify, profile, mails } = await prepare(t)
  const isTo = (email: string) => mails.findLast(({ to }) => to[0] === email)!
  await stores.profiles.change('ann', { email: null })
  await change('thief@example.com', { shown_email: '' })
  await received(1)
  await stores.clients.put(codeClient({ requiredAcr: MFA }))
  t.match(await verify(isTo('thief@example.com')), { statusCode: 403, body: /Ask your administrator to verify this address\./ })
  t.match(await profile(), { emailVerified: false })
  await stores.clients.put(codeClient())
  t.match(await verify(isTo('thief@example.com')), { statusCode: 200 }, 'nothing requires one')

  const again = await prepare(t)
  await again.stores.clients.put(codeClient({ requiredAcr: MFA }))
  t.equal((await again.replace()).statusCode, 303)
  await again.received(3)
  t.equal((await again.verify(again.mails.findLast(({ to }) => to[0] === NEW)!)).statusCode, 200, 'after the code to the previous one')
  t.match(await again.profile(), { email: NEW, emailVerified: true })
})

t.test('where the user has a factor, the password verifies an address only with a link that was requested with the factor', async t => {
  for (const requiredAcr of [null, MFA] as const) {
    const { stores, browser, change, press, received, verify, profile, mails, ann } = await prepare(t)
    await stores.clients.put(codeClient({ requiredAcr }))
    await stores.profiles.change('ann', { email: null })
    await change(NEW, { shown_email: '' })
    await received(1)
    const early = mails[0]!
    const { codes } = await addAuthenticator(stores, loadConfig({}), await ann())
    t.match(await verify(early), { statusCode: 403, body: /Sign in to your account page with your second factor/ }, 'from before')
    t.match(await profile(), { email: NEW, emailVerified: false })
    await press(PATH, 'sign-in', { code: codes[0]! }, await browser.get(PATH))
    t.equal((await press(PATH, 'verify')).statusCode, 303)
    t.equal((await verify(await received(2))).statusCode, 200)
    t.match(await profile(), { email: NEW, emailVerified: true })
  }
})

t.test('an address that becomes verified meanwhile is not replaced without a code', async t => {
  const { stores, profile, ann } = await prepare(t)
  const { id } = await ann()
  for (let round = 0; round < 25; round++) {
    await stores.profiles.change({ id }, { email: 'draft@example.com', emailVerified: false })
    await Promise.all(Array.from({ length: 16 }, async (_, lane) => lane === round % 16
      ? await stores.profiles.change({ id }, { email: OLD, emailVerified: true })
      : await stores.profiles.changeOwn(id, { email: lane % 2 === 0 ? NEW : null }, null)))
    t.match(await profile(), { email: OLD, emailVerified: true })
  }
})
