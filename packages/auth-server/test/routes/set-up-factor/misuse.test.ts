import t from 'tap'
import { FACTOR_LINK_TTL } from '../../../src/lifetimes.js'
import { createFactorLinks } from '../../../src/sign-in/factor-link.js'
import { addUser } from '../../support/admin/admin.js'
import { codeQuery } from '../../support/code-flow.js'
import { confirmationOf } from '../../support/enrolling.js'
import { prepareFactorLinks } from '../../support/factor-link.js'
import { formTokenOf } from '../../support/helper.js'
import { readMail, startMailServer } from '../../support/mail-server.js'
import { creationOf } from '../../support/passkey-page.js'
import { LANES } from '../../support/races/in-flight.js'

export const onBothDatabases = true

const PATH = '/set-up-factor'

t.test('the app of a link cannot be confirmed elsewhere, which would leave the link as it was', async t => {
  const { ann, open, issue, enterPassword } = await prepareFactorLinks(t)
  const [browser, at] = [open(), await issue()]
  const setUp = await enterPassword(browser, at)
  const signIn = { decision: 'sign-in', username: 'ann', password: 'correct horse' }
  await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), ...signIn })
  const transaction = formTokenOf(await browser.get('/account'))
  t.equal((await browser.post('/account/two-step', { transaction, decision: 'confirm', ...confirmationOf(setUp) })).statusCode, 409)
  t.equal((await ann()).factors, null)
})

for (const acr of ['urn:frontdesk:acr:mfa', 'phr'] as const) {
  t.test(`on the page of a link, a mailed code does not replace the link: ${acr}`, async t => {
    const { received, env } = await startMailServer(t)
    const { stores, ann, open, issue, press, enterPassword } = await prepareFactorLinks(t, env)
    await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
    await stores.roles.add('staff', [], acr)
    await stores.roles.assign((await ann()).id, ['staff'])
    const [browser, at] = [open(), await issue()]
    const asked = await press(browser, at, await enterPassword(browser, at), { decision: 'mail-code' })
    const code = /: (\d{8})/.exec(readMail(await received(1)).text)?.[1] ?? ''
    const setUp = await press(browser, at, asked, { decision: 'enter-code', code })
    t.match(setUp, { statusCode: 200, body: acr === 'phr' ? /Create your passkey/ : /Set up your authenticator app/ })
    const confirmed = acr === 'phr'
      ? await press(browser, at, setUp, { decision: 'confirm-passkey', ...creationOf(setUp) })
      : await press(browser, at, setUp, { decision: 'confirm-app', ...confirmationOf(setUp) })
    t.ok([403, 409].includes(confirmed.statusCode), `${confirmed.statusCode}`)
    t.equal((await ann()).factors, null)
  })
}

t.test('a link that has expired, is damaged, of another server or purpose, or missing, is refused', async t => {
  const { stores, ann, open, issue } = await prepareFactorLinks(t)
  const at = await issue()
  const foreign = await createFactorLinks(stores, { secretKey: 'of another server' }).issue(await ann(), undefined, new Date())
  const expired = await issue('ann', { secondsAgo: FACTOR_LINK_TTL + 1 })
  for (const wrong of [expired, `${at.slice(0, -4)}AAAA`, `${PATH}?link=${foreign.link}`, `${PATH}?link=x`, `${PATH}?link=%00`, PATH]) {
    t.match(await open().get(wrong), { statusCode: 410, body: /It has expired, or its address is incomplete/ }, wrong)
  }
})

t.test('a form works only in the browser and for the link that it was made for, and the set-up only after the password', async t => {
  const built = await prepareFactorLinks(t)
  const { app, ann, open, issue, press, enterPassword } = built
  await addUser(built, 'bob')
  const [at, ofBob] = [await issue(), await issue('bob')]
  const [browser, stranger] = [open(), open()]
  const [page, setUp] = [await browser.get(at), await enterPassword(browser, at)]
  const right = { decision: 'continue', password: 'correct horse' }
  const startAgain = /Open the link again.*<a class="button primary" href="\/set-up-factor\?link=/s
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams({ transaction: formTokenOf(page), ...right }).toString()
  t.match(await app.inject({ method: 'POST', url: at, headers, payload }), { statusCode: 403, body: /blocks cookies/ }, 'another site')
  await stranger.get(ofBob)
  t.match(await press(stranger, at, page, right), { statusCode: 403, body: startAgain }, 'another browser')
  t.match(await press(browser, ofBob, page, right), { statusCode: 403, body: startAgain }, 'another link')
  for (const decision of ['confirm-app', 'enter-code', 'mail-code', 'done']) {
    const { statusCode } = await press(browser, ofBob, setUp, { decision, ...confirmationOf(setUp) })
    t.equal(statusCode, 403, `${decision} with the page of another link`)
  }
  for (const decision of ['confirm-app', 'enter-code', 'mail-code']) {
    const { statusCode } = await press(browser, at, page, { decision, ...confirmationOf(setUp) })
    t.ok([403, 409].includes(statusCode), `${decision} without the password`)
  }
  t.equal((await press(browser, at, page, { decision: 'allow', password: 'correct horse' })).statusCode, 400)
  t.equal((await ann()).factors, null)
})

t.test('in a browser where someone else is signed in, the link is still for its user, who is signed in at the end', async t => {
  const built = await prepareFactorLinks(t)
  const { stores, ann, open, issue, enterPassword, confirm } = built
  const bob = await addUser(built, 'bob')
  const browser = open()
  const signIn = { decision: 'sign-in', username: 'bob', password: 'correct horse' }
  await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), ...signIn })
  t.match((await browser.get('/account')).body, '<strong>bob</strong>')
  const at = await issue()
  t.equal((await confirm(browser, at, await enterPassword(browser, at))).statusCode, 200)
  t.equal((await ann()).factors, 'totp')
  t.equal((await stores.users.find({ id: bob }))?.factors, null)
  t.match((await browser.get('/account')).body, '<strong>ann</strong>')
  t.same((await stores.sessions.list(bob, new Date())).sessions, [], 'the other session has ended')
})

t.test('of 16 browsers that confirm an app with the same link at once, one turns on two-step sign-in; the others keep no session', async t => {
  const { app, stores, ann, open, issue, enterPassword, confirm } = await prepareFactorLinks(t)
  const at = await issue()
  const browsers = Array.from({ length: LANES }, (_, lane) => open(`192.0.2.${lane}`))
  const pages = await Promise.all(browsers.map(async it => await enterPassword(it, at)))
  const answers = await Promise.all(browsers.map(async (it, lane) => await confirm(it, at, pages[lane]!)))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, ...Array<number>(LANES - 1).fill(410)])
  const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
  for (const [lane, browser] of browsers.entries()) {
    t.equal((await browser.get('/account')).body.includes('value="everywhere"'), lane === winner)
  }
  t.equal((await stores.sessions.list((await ann()).id, new Date())).sessions.length, 1)
  await app.auditTrail.flush()
  t.equal((await stores.audit.list({ event: 'factor', outcome: 'link' }, 50)).length, 1)
})

t.test('wrong passwords are throttled as those of a sign-in are, and together with them', async t => {
  const { open, issue, press } = await prepareFactorLinks(t)
  const [browser, at] = [open(), await issue()]
  const page = await browser.get(at)
  const statuses: number[] = []
  for (let i = 0; i < 30; i++) statuses.push((await press(browser, at, page, { decision: 'continue', password: `wrong ${i}` })).statusCode)
  t.same(statuses, [...Array<number>(5).fill(403), ...Array<number>(25).fill(429)])
  const right = { decision: 'continue', password: 'correct horse' }
  t.match(await press(browser, at, page, right), { statusCode: 429, headers: { 'retry-after': /\d+/ }, body: /Too many attempts/ })
  t.equal((await open().allow(codeQuery())).statusCode, 429, 'a sign-in, too')
  const elsewhere = open('198.51.100.1')
  t.equal((await press(elsewhere, at, await elsewhere.get(at), right)).statusCode, 200)
})

t.test('oversized, repeated and NUL fields are refused', async t => {
  const { ann, open, issue, press, enterPassword } = await prepareFactorLinks(t)
  const [browser, at, long] = [open(), await issue(), 'x'.repeat(100_000)]
  const page = await browser.get(at)
  t.ok([403, 413].includes((await press(browser, at, page, { decision: 'continue', password: long })).statusCode))
  t.equal((await press(browser, at, page, { decision: 'continue', password: 'a\0' })).statusCode, 400)
  const setUp = await enterPassword(browser, at)
  for (const field of ['app', 'code', 'transaction', 'decision']) {
    for (const value of [long, 'a\0']) {
      const fields = { decision: 'confirm-app', ...confirmationOf(setUp), [field]: value }
      const { statusCode } = await press(browser, at, setUp, fields)
      t.ok(statusCode >= 400 && statusCode < 500, `${field} ${value.length}: ${statusCode}`)
    }
  }
  const { statusCode } = await browser.post(`${PATH}?link=${long}`, { decision: 'continue' })
  t.ok(statusCode >= 400 && statusCode < 500, `${statusCode}`)
  t.equal((await browser.post(`${at}&link=x`, { decision: 'continue' })).statusCode, 400)
  t.equal((await browser.post(at, 'decision=continue&password=a&password=b&transaction=x')).statusCode, 400)
  t.equal((await ann()).factors, null)
})
