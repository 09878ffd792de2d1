import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { formTokenOf } from '../../support/helper.js'
import { prepareSecondStep, requestsCode } from '../../support/second-step.js'

export const onBothDatabases = true

const MFA = 'urn:frontdesk:acr:mfa'
const mfaOnly = JSON.stringify({ id_token: { acr: { essential: true, value: MFA } } })
const isSignedIn = ({ body }: { body: string }) => body.includes('value="everywhere"')

t.test('with two-step sign-in, the password leads to a page for the code; tokens say so', async t => {
  const { app, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  const { code } = await enroll()
  const [browser, search] = [open(), codeQuery({ scope: 'openid customer:read' })]
  const page = await enterPassword(browser, search)
  t.equal(page.statusCode, 200)
  t.ok(requestsCode(page))
  t.match(page.body, /You're signing in to <strong>[^<]+<\/strong> as <strong>ann<\/strong>/)
  t.match(page.body, /<input type="hidden" name="decision" value="allow">/)
  t.notOk(isSignedIn(await browser.get('/account')), 'no session yet')
  const wrong = await enterCode(browser, page, '000000', { search })
  t.equal(wrong.statusCode, 403)
  t.match(wrong.body, 'That code isn&#39;t right.')
  t.ok(requestsCode(wrong))
  t.equal((await enterCode(browser, page, '', { search })).statusCode, 403)
  const answer = await enterCode(browser, wrong, code(), { search })
  t.equal(answer.statusCode, 303)
  const { id_token: idToken, access_token: accessToken } = (await post(app, '/token', exchangeForm(queryOf(answer).code!))).json()
  for (const token of [idToken, accessToken]) t.match(decodeJwt(token), { acr: MFA, amr: ['pwd', 'otp', 'mfa'], auth_time: Number })
  t.ok(isSignedIn(await browser.get('/account')))
  t.equal((await browser.get(`/consent?${search}`)).statusCode, 303, 'not asked again in this session')
  t.equal((await browser.get(`/consent?${codeQuery({ scope: 'openid customer:read', acr_values: MFA, max_age: '60' })}`)).statusCode, 303)
  t.ok(requestsCode(await enterPassword(open(), search)))
})

t.test('a code works once, also at once', async t => {
  const { enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  const { codes } = await enroll()
  const browsers = Array.from({ length: 4 }, (_, lane) => open(`192.0.2.${lane}`))
  const pages = await Promise.all(browsers.map(async browser => await enterPassword(browser)))
  const answers = await Promise.all(browsers.map(async (browser, lane) => await enterCode(browser, pages[lane]!, codes[0]!)))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 403, 403, 403])
})

t.test('a session without the code needs only the code', async t => {
  const { stores, ann, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  const browser = open()
  t.equal((await enterPassword(browser)).statusCode, 303)
  const { code, codes } = await enroll()
  const page = await browser.get(`/consent?${codeQuery()}`)
  t.ok(requestsCode(page), 'consent is remembered')
  t.match(queryOf(await browser.get(`/consent?${codeQuery({ prompt: 'none' })}`)), { error: 'login_required' })
  const asked = await browser.post(`/consent?${codeQuery({ scope: 'new' })}`, {
    transaction: formTokenOf(await browser.get(`/consent?${codeQuery({ scope: 'new' })}`)), decision: 'allow'
  })
  t.ok(requestsCode(asked), 'after consent to new scopes')
  t.equal((await enterCode(browser, asked, codes[0]!, { search: codeQuery({ scope: 'new' }) })).statusCode, 303)
  t.equal((await browser.get(`/consent?${codeQuery()}`)).statusCode, 303)
  t.match(await stores.sessions.list((await ann()).id, new Date()), { sessions: { length: 1 } })
  const again = await enterPassword(browser, codeQuery({ prompt: 'login' }))
  t.ok(requestsCode(again), 'prompt=login requires both')
  t.equal((await enterCode(browser, again, code(), { search: codeQuery({ prompt: 'login' }) })).statusCode, 303)
})

t.test('"Not you?" on the page for the code signs the session out', async t => {
  const { enroll, open, enterPassword } = await prepareSecondStep(t)
  const browser = open()
  await enterPassword(browser)
  await enroll()
  const page = await browser.get(`/consent?${codeQuery()}`)
  const next = await browser.post(`/consent?${codeQuery()}`, { transaction: formTokenOf(page), decision: 'switch' })
  t.match(next.body, 'name="password"')
})

t.test('a trusted browser needs no code, unless the request asks for one, until the password changes', async t => {
  const { stores, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  const { codes } = await enroll()
  const browser = open()
  await enterCode(browser, await enterPassword(browser), codes[0]!, { trust: 'yes' })
  const signOut = () => { for (const name of browser.cookies.keys()) if (name.endsWith('session')) browser.cookies.delete(name) }
  signOut()
  t.equal((await enterPassword(browser)).statusCode, 303)
  signOut()
  for (const search of [codeQuery({ acr_values: MFA }), codeQuery({ scope: 'openid', claims: mfaOnly })]) {
    t.ok(requestsCode(await enterPassword(browser, search)))
  }
  t.ok(requestsCode(await enterPassword(open())), 'another browser')
  const { passwordHash } = (await stores.users.find('ann'))!
  await stores.users.setPassword('ann', passwordHash)
  t.ok(requestsCode(await enterPassword(browser)))
})

t.test('without the required factor no one is signed in', async t => {
  const { stores, ann, open, enterPassword } = await prepareSecondStep(t)
  const browser = open()
  t.match(queryOf(await enterPassword(browser, codeQuery({ scope: 'openid', claims: mfaOnly }))), { error: 'unmet_authentication_requirements' })
  await stores.roles.add('clerk', ['x'], MFA)
  await stores.roles.assign((await ann()).id, ['clerk'])
  const refused = await enterPassword(browser)
  t.equal(refused.statusCode, 403)
  t.match(refused.body, 'Your account needs two-step sign-in')
  t.notOk(isSignedIn(await browser.get('/account')))
  await stores.roles.assign((await ann()).id, [])
  await stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  t.match((await enterPassword(browser)).body, 'Your account needs a passkey')
  t.equal((await enterPassword(browser, codeQuery({ acr_values: MFA }))).statusCode, 403)
  await stores.clients.put(codeClient())
  t.equal((await enterPassword(browser, codeQuery({ acr_values: MFA }))).statusCode, 303, 'acr_values is voluntary')
})

t.test('a changed password ends the sign-in between both steps', async t => {
  const { stores, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  const { codes } = await enroll()
  const browser = open()
  const page = await enterPassword(browser)
  await stores.users.setPassword('ann', (await stores.users.find('ann'))!.passwordHash)
  const ended = await enterCode(browser, page, codes[0]!)
  t.equal(ended.statusCode, 403)
  t.match(ended.body, 'name="password"')
  t.match(ended.body, 'Your password or account changed')
  t.notOk(isSignedIn(await browser.get('/account')))
})

t.test('wrong codes are limited per address, and per account from everywhere', async t => {
  const { app, stores, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  const { codes } = await enroll()
  const codesFrom = async (address: string, count: number) => {
    const browser = open(address)
    const page = await enterPassword(browser)
    const answers = []
    for (let i = 0; i < count; i++) answers.push((await enterCode(browser, page, '000000')).statusCode)
    return { answers, enter: async (code: string) => await enterCode(browser, page, code) }
  }
  const first = await codesFrom('192.0.2.1', 6)
  t.same(first.answers, [403, 403, 403, 403, 403, 429])
  t.match(await first.enter(codes[0]!), { statusCode: 429, headers: { 'retry-after': /^\d+$/ } }, 'a right one, too')
  for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) t.same((await codesFrom(address, 5)).answers, [403, 403, 403, 403, 403])
  const other = await codesFrom('192.0.2.5', 1)
  t.same(other.answers, [429], 'all addresses together')
  const { unlockUser } = await import('../../../src/admin/failed-sign-ins.js')
  await unlockUser(stores, 'ann', { kind: 'shell', name: 'root' })
  t.equal((await other.enter(codes[0]!)).statusCode, 303)
  await app.auditTrail.flush()
  const outcomes = (await stores.audit.list({ event: 'sign-in' }, 100)).map(({ outcome }) => outcome)
  t.equal(outcomes[0], 'signed in')
  t.same([...new Set(outcomes)].sort(), ['second factor', 'signed in', 'throttled', 'wrong code'])
})
