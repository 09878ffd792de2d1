import { createPasskey } from '@frontdesk/test-kit/passkey'
import { decodeJwt } from 'jose'
import t from 'tap'
import { challengeOf } from '../../../src/factors/relying-party.js'
import { FACTOR_LINK_TTL } from '../../../src/lifetimes.js'
import { addUser } from '../../support/admin/admin.js'
import { codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { confirmationOf } from '../../support/enrolling.js'
import { prepareFactorLinks } from '../../support/factor-link.js'
import { anyone, SITE } from '../../support/factors.js'
import { formTokenOf } from '../../support/helper.js'

export const onBothDatabases = true

t.test('with a link and the password, a user sets up an app once, and is signed in', async t => {
  const { app, stores, ann, open, issue, press, confirm, logs } = await prepareFactorLinks(t)
  const browser = open()
  const refused = await browser.allow(codeQuery())
  t.match(refused, { statusCode: 403, body: /Ask your administrator for a set-up link\./ })

  const [at, second] = [await issue(), await issue()]
  const page = await browser.get(at)
  t.match(page, {
    statusCode: 200,
    headers: {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': /form-action 'self'.*frame-ancestors 'none'/
    }
  })
  t.match(page.body, 'For the user name <strong>ann</strong>')
  const wrong = await press(browser, at, page, { decision: 'continue', password: 'wrong' })
  t.match(wrong, { statusCode: 403, body: /Wrong password\./ })
  const setUp = await press(browser, at, wrong, { decision: 'continue', password: 'correct horse' })
  t.match(setUp, { statusCode: 200, body: /Set up your authenticator app/ })
  t.match(await press(browser, at, setUp, { decision: 'confirm-app', ...confirmationOf(setUp), code: 'x' }), {
    statusCode: 403, body: /That code isn't right/
  })
  t.equal((await ann()).factors, null, 'nothing stored yet')
  t.notMatch((await browser.get('/account')).body, 'value="everywhere"', 'no session yet')

  const saved = await confirm(browser, at, setUp)
  t.match(saved, { statusCode: 200, body: /Save your recovery codes/ })
  t.equal(saved.body.match(/<li><code>/g)?.length, 10)
  t.equal((await ann()).factors, 'totp')
  t.match(await press(browser, at, saved, { decision: 'done' }), { statusCode: 303, headers: { location: '/account' } })
  t.match((await browser.get('/account')).body, /Two-step sign-in is on\. You can now sign in to your apps\..*value="everywhere"/s)
  const answer = await browser.allow(codeQuery({ scope: 'openid' }), {})
  const { access_token: accessToken } = (await post(app, '/token', exchangeForm(queryOf(answer).code!))).json()
  t.match(decodeJwt(accessToken), { acr: 'urn:frontdesk:acr:mfa', amr: ['pwd', 'otp', 'mfa'] })

  for (const it of [at, second]) t.match(await open().get(it), { statusCode: 410, body: /Two-step sign-in is already on/ })
  t.match(await confirm(browser, at, setUp), { statusCode: 410 })
  await stores.factors.removeAll('ann')
  t.match(await open().get(at), { statusCode: 410, body: /It was used before/ }, 'nor once the factor is removed')
  t.match(await confirm(browser, at, setUp), { statusCode: 410, body: /It was used before/ })
  t.equal((await ann()).factors, null)

  await app.auditTrail.flush()
  const { id: userId } = await ann()
  const events = await stores.audit.list({ event: 'factor', userId }, 10)
  t.same(events.map(({ outcome }) => outcome).sort(), ['link', 'on'])
  t.match(events.find(({ outcome }) => outcome === 'link'), { details: { link: /^[\w-]{43}$/ } })
  t.same((await stores.audit.list({ event: 'sign-in', userId }, 10)).map(({ outcome }) => outcome),
    ['signed in', 'second factor', 'wrong', 'second factor'])
  for (const secret of [at, 'correct horse', confirmationOf(setUp).app]) t.notOk(logs.join('').includes(secret))
})

t.test('a user whose role requires a passkey creates one', async t => {
  const { app, stores, ann, open, issue, press, enterPassword } = await prepareFactorLinks(t)
  const { id: userId } = await ann()
  await stores.roles.add('staff', [], 'phr')
  await stores.roles.assign(userId, ['staff'])
  const [browser, at] = [open(), await issue()]
  t.match((await browser.get(at)).body, 'also need a passkey')
  const page = await enterPassword(browser, at)
  t.match(page, { statusCode: 200, body: /Create your passkey/ })
  const code = createPasskey(SITE).create({ challenge: challengeOf(formTokenOf(page)) })
  const saved = await press(browser, at, page, { decision: 'confirm-passkey', code })
  t.match(saved, { statusCode: 200, body: /Save your recovery codes/ })
  t.equal((await ann()).factors, 'passkey')
  t.equal((await press(browser, at, saved, { decision: 'done' })).statusCode, 303)
  await stores.factors.removeAll('ann')
  t.match(await open().get(at), { statusCode: 410, body: /It was used before/ })
  await app.auditTrail.flush()
  const events = await stores.audit.list({ event: 'factor', userId }, 10)
  t.same(events.map(({ outcome }) => outcome).sort(), ['link', 'passkey-added'])
})

t.test('a link ends after a day, and when the password, the access or the factors change, at each of its pages', async t => {
  const built = await prepareFactorLinks(t)
  const { stores, open, issue, press, enterPassword, confirm } = built
  t.equal((await open().get(await issue('ann', { secondsAgo: FACTOR_LINK_TTL - 60 }))).statusCode, 200)
  const ends: Array<[name: string, why: RegExp, end: (username: string) => Promise<unknown>]> = [
    ['password', /password or your account has changed/, async it => await stores.users.setPassword(it, 'x')],
    ['sign out everywhere', /has changed/, async it => await stores.users.endAccess((await stores.users.find(it))!.id)],
    ['administrator', /has changed/, async it => await stores.roles.assign((await stores.users.find(it))!.id, ['administrator'])],
    ['disabled', /has changed/, async it => await stores.users.setDisabled(it, new Date())],
    ['removed', /has changed/, async it => await stores.users.remove(it)],
    ['enrolled', /already on/, async it => {
      const app = { id: it, secret: 'x', lastStep: 0, replaces: null, recoveryCodes: ['x'] }
      return await stores.factors.authenticators.enroll((await stores.users.find(it))!, app, anyone)
    }]
  ]
  for (const [name, why, end] of ends) {
    await addUser(built, name)
    const [at, other] = [await issue(name), await issue(name)]
    const [browser, another] = [open(), open()]
    const [page, setUp] = [await browser.get(at), await enterPassword(another, other)]
    t.match(setUp, { statusCode: 200 }, name)
    await end(name)
    const ended = { statusCode: 410, body: why }
    t.match(await browser.get(at), ended, name)
    t.match(await press(browser, at, page, { decision: 'continue', password: 'correct horse' }), ended, name)
    t.match(await confirm(another, other, setUp), ended, name)
  }
})
