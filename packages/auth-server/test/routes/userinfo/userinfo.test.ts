import t, { type Test } from 'tap'
import { codeClient, exchangeForm, form, getCode, post } from '../../support/code-flow.js'
import { build } from '../../support/helper.js'

async function prepare (t: Test, scope: string) {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  await stores.profiles.change('ann', {
    name: 'Ann Example', givenName: 'Ann', familyName: 'Example', email: 'ann@example.com', emailVerified: true, locale: 'de-CH'
  })
  const { access_token: token } = (await post(app, '/token', exchangeForm(await getCode(app, { scope })))).json()
  const get = async (authorization?: string) => await app.inject({ url: '/userinfo', headers: authorization === undefined ? {} : { authorization } })
  return { app, stores, token, get, ann: (await stores.users.find('ann'))! }
}

t.test('userinfo says what the scope of the token allows, by GET and by POST', async t => {
  const { app, token, get, ann } = await prepare(t, 'openid profile email')
  const answer = await get(`Bearer ${token}`)
  t.equal(answer.headers['cache-control'], 'no-store')
  const { updated_at: updatedAt, ...claims } = answer.json()
  t.type(updatedAt, 'number')
  t.strictSame(claims, {
    sub: ann.id,
    name: 'Ann Example',
    given_name: 'Ann',
    family_name: 'Example',
    preferred_username: 'ann',
    locale: 'de-CH',
    email: 'ann@example.com',
    email_verified: true
  })
  t.strictSame((await post(app, '/userinfo', form({ access_token: token }))).json(), answer.json())
  t.strictSame((await post(app, '/userinfo', '', { authorization: `Bearer ${token}` })).json(), answer.json())
})

t.test('without profile and email, an app learns the identifier only; what is not set is not there', async t => {
  const { get, token, ann } = await prepare(t, 'openid')
  t.strictSame((await get(`Bearer ${token}`)).json(), { sub: ann.id })
  const other = await prepare(t, 'openid email')
  await other.stores.profiles.change('ann', { email: null })
  t.strictSame((await other.get(`Bearer ${other.token}`)).json(), { sub: other.ann.id })
})

t.test('a request is refused with the challenge of RFC 6750', async t => {
  const { app, stores, token, get } = await prepare(t, 'openid')
  const plain = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'customer:read' })))).json().access_token
  const refused = async (authorization?: string) => {
    const { statusCode, headers, body } = await get(authorization)
    return [statusCode, headers['www-authenticate'], JSON.parse(body).error]
  }
  t.strictSame(await refused(), [401, 'Bearer realm="userinfo"', 'invalid_token'])
  t.strictSame(await refused('Basic YTpi'), [401, 'Bearer realm="userinfo"', 'invalid_token'])
  const invalid = 'Bearer realm="userinfo", error="invalid_token", error_description="The access token is invalid, expired or revoked, or for another audience."'
  t.strictSame(await refused('Bearer nonsense'), [401, invalid, 'invalid_token'])
  t.strictSame(await refused(`Bearer ${plain}`), [
    403, 'Bearer realm="userinfo", error="insufficient_scope", error_description="The access token is missing the scope openid.", scope="openid"', 'insufficient_scope'
  ])
  const inBoth = await post(app, '/userinfo', form({ access_token: token }), { authorization: `Bearer ${token}` })
  for (const answer of [inBoth, await get('Bearer a b'), await post(app, '/userinfo', `access_token=${token}&access_token=${token}`)]) {
    t.equal(answer.statusCode, 400)
    t.equal(answer.json().error, 'invalid_request')
  }
  await stores.clients.change('app', { resources: ['https://other-api.example'] })
  const elsewhere = await getCode(app, { scope: 'openid email', resource: 'https://other-api.example' })
  const foreign = (await post(app, '/token', exchangeForm(elsewhere))).json().access_token
  t.strictSame(await refused(`Bearer ${foreign}`), [401, invalid, 'invalid_token'], 'the other resource could use it')
  t.equal((await app.inject({ method: 'DELETE', url: '/userinfo' })).statusCode, 405)
  await post(app, '/revoke', form({ token, client_id: 'app' }))
  t.strictSame(await refused(`Bearer ${token}`), [401, invalid, 'invalid_token'])
  const other = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'openid' })))).json().access_token
  await stores.users.setDisabled('ann', new Date())
  t.strictSame(await refused(`Bearer ${other}`), [401, invalid, 'invalid_token'])
})

t.test('pages may ask from the origin of a registered callback', async t => {
  const { app, token } = await prepare(t, 'openid')
  const ask = async (origin: string) => await app.inject({ url: '/userinfo', headers: { origin, authorization: `Bearer ${token}` } })
  t.equal((await ask('https://app.example')).headers['access-control-allow-origin'], 'https://app.example')
  t.notOk((await ask('https://evil.example')).headers['access-control-allow-origin'])
  const preflight = await app.inject({
    method: 'OPTIONS', url: '/userinfo', headers: { origin: 'https://app.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
  })
  t.equal(preflight.statusCode, 204)
  t.equal(preflight.headers['access-control-allow-methods'], 'GET, POST')
})
