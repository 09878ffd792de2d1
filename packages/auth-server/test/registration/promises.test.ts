import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import { codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { Browser, build } from '../support/helper.js'
import { METADATA, pathOf, register, send } from '../support/registration-flow.js'

export const onBothDatabases = true

const { app, stores } = await build(t, { REGISTRATION: 'open', REGISTRATION_LIMIT: '0' })
const discovery = (await app.inject('/.well-known/openid-configuration')).json()
const tokensOf = async (client: string, changes: object = {}) => {
  const code = queryOf(await new Browser(app).allow(codeQuery({ client_id: client, scope: 'openid' }))).code!
  return (await post(app, '/token', exchangeForm(code, { client_id: client, ...changes }))).json()
}
const JWKS = { keys: [{ kty: 'EC', crv: 'P-256', x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4', y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM' }] }

t.test('/register accepts each value that the discovery document promises, and returns it', async t => {
  const members: Array<[promised: string, member: string, more?: (value: string) => object]> = [
    ['subject_types_supported', 'subject_type'],
    ['id_token_signing_alg_values_supported', 'id_token_signed_response_alg'],
    ['userinfo_signing_alg_values_supported', 'userinfo_signed_response_alg'],
    ['token_endpoint_auth_methods_supported', 'token_endpoint_auth_method', value => value === 'private_key_jwt' ? { jwks: JWKS } : {}]
  ]
  for (const [promised, member, more = () => ({})] of members) {
    for (const value of discovery[promised]) {
      const answer = await register(app, { ...METADATA, ...more(value), [member]: value })
      t.match([answer.statusCode, answer.json()], [201, { [member]: value }], `${member} ${value}`)
    }
  }
  for (const grant of ['authorization_code', 'refresh_token']) {
    t.ok(discovery.grant_types_supported.includes(grant))
    t.ok((await register(app, { ...METADATA, grant_types: ['authorization_code', grant] })).json().grant_types.includes(grant))
  }
  for (const [promised, member] of [['backchannel_logout_session_supported', 'backchannel_logout_session_required']] as const) {
    t.equal(discovery[promised], true)
    const uri = { backchannel_logout_uri: 'https://app.example/logout' }
    t.equal((await register(app, { ...METADATA, ...uri, [member]: true })).json()[member], true)
  }
})

t.test('userinfo_signed_response_alg: the responses are signed so', async t => {
  for (const alg of discovery.userinfo_signing_alg_values_supported) {
    const { client_id: id } = (await register(app, { ...METADATA, userinfo_signed_response_alg: alg })).json()
    const { access_token: token } = await tokensOf(id)
    const answer = await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })
    t.match(answer.headers['content-type'], 'application/jwt')
    t.match([decodeProtectedHeader(answer.body), decodeJwt(answer.body)], [{ alg }, { aud: id }])
  }
})

t.test('subject_type pairwise: apps of one host share a sub, others and those of an operator do not', async t => {
  const pairwise = async (...hosts: string[]) =>
    (await register(app, { ...METADATA, redirect_uris: hosts.map(host => `https://${host}/cb`), subject_type: 'pairwise' })).json()
  const subOf = async (client: string, host: string) => {
    const redirect = { redirect_uri: `https://${host}/cb` }
    const code = queryOf(await new Browser(app).allow(codeQuery({ client_id: client, scope: 'openid', ...redirect }))).code!
    return decodeJwt((await post(app, '/token', exchangeForm(code, { client_id: client, ...redirect }))).json().id_token).sub
  }
  const [one, two, other] = [await pairwise('one.example'), await pairwise('one.example'), await pairwise('two.example')]
  await stores.clients.add({
    id: 'shop', name: 'Shop', callbacks: ['https://one.example/cb'], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'off', demo: false, grantTypes: ['authorization_code'], sectorIdentifier: 'one.example'
  })
  const subs = [await subOf(one.client_id, 'one.example'), await subOf(two.client_id, 'one.example'), await subOf(other.client_id, 'two.example'), await subOf('shop', 'one.example')]
  t.equal(subs[0], subs[1])
  t.equal(new Set([...subs, (await stores.users.find('ann'))!.id]).size, 4)
  t.match(await pairwise('one.example', 'two.example'), { error: 'invalid_client_metadata', error_description: /^subject_type: .*one host/ })
  for (const uri of ['http://localhost/cb', 'https://127.0.0.1/cb', 'com.example.app:/cb']) {
    t.match((await register(app, { ...METADATA, redirect_uris: [uri], subject_type: 'pairwise' })).json(), { error: 'invalid_client_metadata' }, uri)
  }
})

const LINKS = {
  client_uri: 'https://app.example/', logo_uri: 'https://cdn.example/logo.png', policy_uri: 'https://app.example/privacy#short', tos_uri: 'https://other.example/terms'
}

t.test('the addresses of its pages are returned by POST, GET and PUT; only those on the host of the callback are shown', async t => {
  const answer = await register(app, { ...METADATA, ...LINKS, subject_type: 'pairwise', userinfo_signed_response_alg: 'ES256' })
  const whole = { ...LINKS, subject_type: 'pairwise', userinfo_signed_response_alg: 'ES256' }
  t.match(answer.json(), whole)
  const { client_id: id, registration_access_token: token } = answer.json()
  t.match((await send(app, 'GET', pathOf(answer), undefined, token)).json(), whole)
  const shown = (await new Browser(app).get(`/consent?${codeQuery({ client_id: id, scope: 'x' })}`)).body
  t.match(shown, '<a href="https://app.example/privacy#short" target="_blank" rel="noopener noreferrer nofollow">Privacy policy</a>')
  t.match(shown, '>Website</a>')
  t.notMatch(shown, /other\.example|cdn\.example/)
  t.equal(shown.match(/<form\b(?! class="languages")/g)?.length, 1)
  const changed = await send(app, 'PUT', pathOf(answer), { client_id: id, ...METADATA, tos_uri: 'https://app.example/%22' }, token)
  t.equal(changed.statusCode, 200)
  t.match(changed.json(), { tos_uri: 'https://app.example/%22', subject_type: 'public' })
  for (const name of ['client_uri', 'logo_uri', 'policy_uri', 'userinfo_signed_response_alg']) t.notOk(name in changed.json(), name)
  t.notMatch((await register(app, { ...METADATA, client_uri: '' })).json(), { client_uri: '' })
})

t.test('other addresses than https, and http on loopback, are refused', async t => {
  const wrong = ['javascript:alert(1)', 'http://app.example/', 'data:text/html,x', 'com.example.app:/x', '/privacy', 'https://', 'https://a@app.example/', 'https://app.example/a b', 'x'.repeat(2_001)]
  for (const name of Object.keys(LINKS)) {
    for (const uri of wrong) {
      const { statusCode, body } = await register(app, { ...METADATA, [name]: uri })
      t.match([statusCode, JSON.parse(body)], [400, { error: 'invalid_client_metadata', error_description: new RegExp(`^${name}: `) }], `${name} ${uri}`)
    }
    t.equal((await register(app, { ...METADATA, [name]: 'http://localhost:6274/' })).statusCode, 201)
  }
})

t.test('an app that changes its subject type loses the access that people gave it, and costs nothing before', async t => {
  const metadata = { ...METADATA, grant_types: ['authorization_code', 'refresh_token'] }
  const answer = await register(app, metadata)
  const { client_id: id } = answer.json()
  let { registration_access_token: token } = answer.json()
  const put = async (type: string) => {
    const changed = await send(app, 'PUT', pathOf(answer), { client_id: id, ...metadata, subject_type: type }, token)
    token = changed.json().registration_access_token
  }
  const feed = async () => (await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 50_000)).length
  const before = await feed()
  for (const type of ['pairwise', 'public', 'pairwise', 'public']) await put(type)
  t.equal(await feed(), before)
  const { refresh_token: refreshToken } = await tokensOf(id)
  await put('pairwise')
  t.equal(await feed(), before + 1)
  t.match((await post(app, '/token', form({ grant_type: 'refresh_token', client_id: id, refresh_token: refreshToken }))).json(), { error: 'invalid_grant' })
})
