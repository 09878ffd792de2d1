import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, fragmentOf, query } from '../../support/helper.js'

const { app, stores } = await build(t)
await stores.clients.put(codeClient({ implicit: 'allowed' }))
await stores.profiles.change('ann', { name: 'Ann Example', email: 'ann@example.com', emailVerified: true })
const ann = (await stores.users.find('ann'))!.id

const CLAIMS = JSON.stringify({ userinfo: { email: { essential: true }, picture: null }, id_token: { name: null } })
const asking = (claims = CLAIMS, changes: Record<string, string> = {}) => codeQuery({ scope: 'openid', claims, ...changes })
const userinfo = async (token: string) => (await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })).json()
const exchange = async (answer: Parameters<typeof queryOf>[0]) => (await post(app, '/token', exchangeForm(queryOf(answer).code!))).json()

t.test('the page shows which claims an app will see; they come with the code, after a refresh, and again without asking', async t => {
  const browser = new Browser(app)
  const page = (await browser.get(`/consent?${asking()}`)).body
  for (const words of ['Know who you are', 'See your email address', 'See your picture', 'See your name']) t.match(page, words)
  const first = await exchange(await browser.allow(asking()))
  t.equal(first.scope, 'openid userinfo:email userinfo:picture id_token:name')
  t.match(decodeJwt(first.id_token), { sub: ann, name: 'Ann Example', email: undefined })
  t.strictSame(await userinfo(first.access_token), { sub: ann, email: 'ann@example.com' }, 'without the picture, which is not known')
  const refresh = async (token: string, scope?: string) => (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, scope }))).json()
  const next = await refresh(first.refresh_token)
  t.match([decodeJwt(next.id_token).name, await userinfo(next.access_token)], ['Ann Example', { email: 'ann@example.com' }])
  const less = await refresh(next.refresh_token, 'openid')
  t.strictSame([decodeJwt(less.id_token).name, await userinfo(less.access_token)], [undefined, { sub: ann }])
  t.ok(queryOf(await browser.get(`/consent?${asking()}`)).code, 'what was allowed is remembered')
  const more = asking(JSON.stringify({ userinfo: { name: null } }))
  t.match((await browser.get(`/consent?${more}`)).body, 'This will also allow', 'another claim is asked for')
  t.match((await browser.get('/account')).body, 'See your email address')
})

t.test('through /par, and with the response types of the implicit grant', async t => {
  const pushed = (await post(app, '/par', asking())).json().request_uri
  const reference = form({ client_id: 'app', request_uri: pushed })
  t.equal((await exchange(await new Browser(app).allow(reference))).scope, 'openid userinfo:email userinfo:picture id_token:name')
  t.match((await post(app, '/par', asking('{'))).json(), { error: 'invalid_request' })
  const implicit = async (type: string) =>
    fragmentOf(await new Browser(app).allow(query({ response_type: type, scope: 'openid', nonce: 'n', claims: CLAIMS })))
  const both = await implicit('id_token token')
  t.match([decodeJwt(both.id_token!).name, await userinfo(both.access_token!)], ['Ann Example', { email: 'ann@example.com' }])
  t.match(decodeJwt((await implicit('id_token')).id_token!), { name: 'Ann Example', email: undefined })
})

t.test('without openid the parameter has no effect', async t => {
  const answer = fragmentOf(await new Browser(app).allow(query({ scope: 'customer:read', claims: '{' })))
  t.equal(answer.scope, 'customer:read')
})

t.test('sub: another person gets login_required (§3.1.2.1)', async t => {
  const only = (sub: string, changes = {}) => asking(JSON.stringify({ id_token: { sub: { values: [sub] } } }), changes)
  const browser = new Browser(app)
  t.ok(queryOf(await browser.allow(only(ann))).code)
  t.ok(queryOf(await browser.get(`/consent?${only(ann, { prompt: 'none' })}`)).code)
  t.match(queryOf(await browser.get(`/consent?${only('someone', { prompt: 'none' })}`)), { error: 'login_required' })
  t.match(queryOf(await browser.allow(only('someone'))), { error: 'login_required' })
})

t.test('every ID token says how the person signed in; an app that requires another acr gets an error', async t => {
  const { id_token: idToken } = await exchange(await new Browser(app).allow(asking('{}', { acr_values: '1 2' })))
  const { acr_values_supported: [acr] } = (await app.inject('/.well-known/openid-configuration')).json()
  t.match(decodeJwt(idToken), { acr, amr: ['pwd'] })
  const answer = await app.inject(`/authorize?${asking('{"id_token":{"acr":{"essential":true,"value":"2"}}}')}`)
  t.match(queryOf(answer), { error: 'unmet_authentication_requirements', state: 's' })
})
