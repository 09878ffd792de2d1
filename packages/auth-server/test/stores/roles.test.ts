import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { askForCodes, decide, deviceClient, enter, poll } from '../support/device-flow.js'
import { Browser, build, formTokenOf, fragmentOf, query } from '../support/helper.js'

export const onBothDatabases = true

const BOTH = 'customer:read customer:write'

/** Ann, an app, and a role that is needed to write. */
async function prepare (t: Test) {
  const built = await build(t)
  const { app, stores } = built
  await stores.clients.put(codeClient({ implicit: 'allowed', tokenEndpointAuthMethod: 'none' }))
  await stores.roles.add('editor', ['customer:write'])
  const ann = (await stores.users.find('ann'))!.id
  const exchange = async (code = '') => (await post(app, '/token', exchangeForm(code))).json()
  const refresh = async (token: string, scope?: string) =>
    (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, scope }))).json()
  return { ...built, ann, exchange, refresh }
}

t.test('what a person may not grant is shown, and left out of the tokens', async t => {
  const { app, stores, ann, exchange } = await prepare(t)
  const search = codeQuery({ scope: BOTH })
  const browser = new Browser(app)
  const told = await browser.allow(search)
  t.match(told.body, /You can't allow it to:<\/h2>[^]*?<li>Add and edit customers<\/li>/, 'who signs in with the decision is told, and asked again')
  const allowed = await browser.post(`/consent?${search}`, { transaction: formTokenOf(told), decision: 'allow' })
  t.equal((await exchange(queryOf(allowed).code)).scope, 'customer:read')
  const page = await browser.get(`/consent?${codeQuery({ scope: BOTH, prompt: 'consent' })}`)
  t.match(page.body, /You can't allow it to:<\/h2>[^]*?<li>Add and edit customers<\/li>/)
  t.match(queryOf(await browser.get(`/consent?${search}`)).code, /./, 'what may be granted was allowed before')
  const implicit = query({ scope: BOTH })
  const transaction = await browser.consent(implicit)
  t.equal(fragmentOf(await browser.post(`/consent?${implicit}`, { transaction, decision: 'allow' })).scope, 'customer:read', 'of the implicit grant')
  await stores.roles.assign(ann, ['editor'])
  t.match((await browser.get(`/consent?${search}`)).body, 'This will also allow', 'with the role, the rest is asked for')
  t.equal((await exchange(queryOf(await new Browser(app).allow(search)).code)).scope, BOTH)
})

t.test('if nothing remains, the app gets invalid_scope (RFC 6749 §4.1.2.1)', async t => {
  const { app } = await prepare(t)
  const search = codeQuery({ scope: 'customer:write' })
  const browser = new Browser(app)
  t.match(queryOf(await browser.allow(search)), { error: 'invalid_scope', state: 's' })
  t.match(queryOf(await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'allow' })), { error: 'invalid_scope' })
  t.match(fragmentOf(await new Browser(app).allow(query({ scope: 'customer:write' }))), { error: 'invalid_scope' })
  const openid = codeQuery({ scope: 'openid customer:write' })
  t.ok(queryOf(await browser.post(`/consent?${openid}`, { transaction: await browser.consent(openid), decision: 'allow' })).code)
})

t.test('a role that is taken away: the next refresh lacks its scopes, and access tokens end; one that comes back gives them again', async t => {
  const { app, stores, ann, exchange, refresh } = await prepare(t)
  await stores.roles.assign(ann, ['editor'])
  const code = queryOf(await new Browser(app).allow(codeQuery({ scope: BOTH }))).code
  const pending = queryOf(await new Browser(app).allow(codeQuery({ scope: BOTH }))).code
  const first = await exchange(code)
  t.equal(first.scope, BOTH)
  await stores.roles.assign(ann, [])
  // as: an access token.
  t.ok(await stores.revocations.covers(decodeJwt(first.access_token) as never))
  const next = await refresh(first.refresh_token)
  t.equal(next.scope, 'customer:read')
  t.notOk(await stores.revocations.covers(decodeJwt(next.access_token) as never), 'the next access token counts')
  t.equal((await exchange(pending)).scope, 'customer:read', 'a code from before')
  t.equal((await refresh(next.refresh_token, 'customer:write')).error, 'invalid_scope')
  await stores.roles.assign(ann, ['editor'])
  t.equal((await refresh(next.refresh_token)).scope, BOTH)
})

t.test('in flight: of 100 refreshes during the change, none that began after it gets the scope', async t => {
  const { app, stores, ann, exchange, refresh } = await prepare(t)
  await stores.roles.assign(ann, ['editor'])
  const families: string[] = []
  const browser = new Browser(app)
  await browser.allow(codeQuery({ scope: BOTH }))
  for (let i = 0; i < 10; i++) families.push((await exchange(queryOf(await browser.get(`/consent?${codeQuery({ scope: BOTH })}`)).code)).refresh_token)
  let isTaken = false
  const late: string[] = []
  const lanes = families.map(async token => {
    for (let i = 0; i < 10; i++) {
      const began = isTaken
      const answer = await refresh(token)
      token = answer.refresh_token
      if (began) late.push(answer.scope)
    }
  })
  await stores.roles.assign(ann, [])
  isTaken = true
  await Promise.all(lanes)
  t.ok(late.length > 0)
  t.strictSame(new Set(late), new Set(['customer:read']))
})

t.test('a device gets what the person may grant', async t => {
  const { app, stores, ann } = await prepare(t)
  await stores.clients.put(deviceClient())
  const codes = await askForCodes(app, { scope: BOTH })
  const browser = new Browser(app)
  const told = await decide(browser, codes.user_code, 'allow')
  t.match(told.body, /You can't allow it to:<\/h2>[^]*?<li>Add and edit customers<\/li>/, 'who signs in with the decision is told, and asked again')
  t.match((await poll(app, codes.device_code)).json(), { error: 'authorization_pending' })
  t.equal((await decide(browser, codes.user_code, 'allow', told)).statusCode, 303)
  const { scope, refresh_token: token } = (await poll(app, codes.device_code)).json()
  t.equal(scope, 'customer:read')
  await stores.roles.assign(ann, ['editor'])
  const next = await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'tv', refresh_token: token }))
  t.equal(next.json().scope, 'customer:read', 'what the page did not offer was not allowed')
})

t.test('what a person allows a device is what the page showed; if nothing remains, the device is denied', async t => {
  const { app, stores, ann } = await prepare(t)
  await stores.clients.put(deviceClient())
  const browser = new Browser(app)
  await decide(browser, (await askForCodes(app)).user_code, 'allow')
  const { user_code: userCode, device_code: code } = await askForCodes(app, { scope: BOTH })
  let page = await enter(browser, userCode)
  for (const change of [() => stores.roles.assign(ann, ['editor']), () => stores.clients.change('tv', { name: 'Another' })]) {
    await change()
    page = await decide(browser, userCode, 'allow', page)
    t.equal(page.statusCode, 409)
    t.match(page.body, 'The permissions that this app requests changed after you opened this page.')
  }
  t.equal((await decide(browser, userCode, 'allow', page)).statusCode, 303)
  t.equal((await poll(app, code)).json().scope, BOTH)

  await stores.roles.assign(ann, [])
  const other = await askForCodes(app, { scope: 'customer:write' })
  const stranger = new Browser(app)
  const first = await enter(stranger, other.user_code)
  await stores.clients.change('tv', { name: 'A third' })
  const changed = await decide(stranger, other.user_code, 'allow', first)
  t.match(changed, { statusCode: 409, body: /Your account doesn't have the role/ })
  t.notMatch(changed.body, 'name="password"', 'one sign-in is enough')
  await decide(stranger, other.user_code, 'allow', changed)
  t.equal((await poll(app, other.device_code)).json().error, 'access_denied')
})

t.test('scopes that no role has are free; of several roles, one is enough; an unknown role changes nothing', async t => {
  const { stores, ann } = await prepare(t)
  // Those of the administration API are withheld from everyone without a built-in role.
  const withheld = async () => (await stores.users.find('ann'))!.withheld?.replace(/ ?admin:read admin:write$/, '') || null
  await stores.roles.add('admin', ['customer:write', 'customer:delete'])
  t.strictSame([...new Set((await withheld())?.split(' '))].sort(), ['customer:delete', 'customer:write'])
  t.equal(await stores.roles.assign(ann, ['editor', 'nobody']), false)
  t.strictSame(await stores.roles.of(ann), [])
  await stores.roles.assign(ann, ['editor'])
  t.equal(await withheld(), 'customer:delete')
  await stores.roles.change('admin', ['customer:read'])
  t.equal(await withheld(), 'customer:read')
  await stores.roles.remove('admin')
  t.equal(await withheld(), null)
  t.same(await stores.roles.list(), [{ name: 'editor', scopes: ['customer:write'], requiredAcr: null }])
  t.equal((await stores.roles.people()).get('editor'), 1)
})

t.test('the highest level that a role of a user requires is theirs', async t => {
  const { stores, ann } = await prepare(t)
  const required = async () => (await stores.users.find('ann'))?.requiredAcr
  await stores.roles.add('clerk', ['a'], 'urn:frontdesk:acr:mfa')
  await stores.roles.add('boss', ['a'], 'phr')
  t.equal(await required(), null, 'the roles of others')
  await stores.roles.assign(ann, ['clerk', 'editor'])
  t.equal(await required(), 'urn:frontdesk:acr:mfa')
  await stores.roles.assign(ann, ['clerk', 'boss'])
  t.equal(await required(), 'phr')
  await stores.roles.change('boss', ['b'])
  t.equal(await required(), 'phr', 'a change of scopes keeps it')
  await stores.roles.change('boss', ['b'], null)
  t.equal(await required(), 'urn:frontdesk:acr:mfa')
})

t.test('an app gets the scopes that it may ask for, and invalid_scope if it asks for none of them', async t => {
  const { app, stores, exchange, refresh } = await prepare(t)
  await stores.clients.put(codeClient({ implicit: 'allowed', allowedScope: 'openid email customer:read' }))
  const code = async (changes: Record<string, string>) => queryOf(await new Browser(app).allow(codeQuery(changes))).code
  t.equal((await exchange(await code({ scope: 'openid customer:delete customer:read' }))).scope, 'openid customer:read')
  const claims = JSON.stringify({ userinfo: { email: null, name: null } })
  const { scope, refresh_token: token } = await exchange(await code({ scope: 'openid', claims }))
  t.equal(scope, 'openid userinfo:email', 'claims of scopes that it may ask for')
  t.match(queryOf(await app.inject(`/authorize?${codeQuery({ scope: 'customer:delete' })}`)), { error: 'invalid_scope' })
  t.match((await post(app, '/par', codeQuery({ scope: 'x' }))).json(), { error: 'invalid_scope' })
  await stores.clients.change('app', { allowedScope: 'openid' })
  t.equal((await refresh(token)).scope, 'openid', 'a refresh follows')
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  t.equal((await exchange(await code({ scope: 'any thing' }))).scope, 'any thing', 'by default, any')
})
