import { decodeJwt } from 'jose'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { website } from '../../support/document-website.js'
import { Browser, build, CALLBACK } from '../../support/helper.js'
import { METADATA, pathOf, register, send } from '../../support/registration-flow.js'

export const onBothDatabases = true

const env = { REGISTRATION: 'open', CLIENT_METADATA_DOCUMENTS: 'on', ALLOW_PRIVATE_NETWORKS: 'true', REGISTRATION_LIMIT: '0' }
const json = (status: number, body: unknown) => (response: ServerResponse) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

t.test('apps that name one sector_identifier_uri see the same sub, whatever the hosts of their callbacks (OpenID Connect Core §8.1)', async t => {
  const { app } = await build(t, env)
  const { pages, origin } = await website(t)
  const callbacks = ['https://one.example/cb', 'https://two.example/cb', 'com.example.app:/cb']
  pages.set('/sector.json', json(200, [...callbacks, 'https://later.example/cb']))
  const uri = `${origin}/sector.json`
  const subOf = async (more: object, redirectUri: string) => {
    const { client_id: id } = (await register(app, { ...METADATA, subject_type: 'pairwise', ...more })).json()
    const redirect = { redirect_uri: redirectUri }
    const code = queryOf(await new Browser(app).allow(codeQuery({ client_id: id, scope: 'openid', ...redirect }))).code!
    return decodeJwt((await post(app, '/token', exchangeForm(code, { client_id: id, ...redirect }))).json().id_token).sub
  }
  const subs = [
    await subOf({ redirect_uris: callbacks, sector_identifier_uri: uri }, callbacks[0]!),
    await subOf({ redirect_uris: callbacks.slice(1, 2), sector_identifier_uri: uri }, callbacks[1]!),
    await subOf({ redirect_uris: callbacks.slice(2), sector_identifier_uri: uri }, callbacks[2]!)
  ]
  t.equal(new Set(subs).size, 1)
  t.not(await subOf({ redirect_uris: callbacks.slice(0, 1) }, callbacks[0]!), subs[0], 'its own host is another sector')
})

t.test('the document at sector_identifier_uri is checked at each registration and change, and the address returned', async t => {
  const { app } = await build(t, env)
  const { pages, origin, asked } = await website(t)
  const uri = `${origin}/sector.json`
  pages.set('/sector.json', json(200, [CALLBACK, 1, null]))
  const answer = await register(app, { ...METADATA, subject_type: 'pairwise', sector_identifier_uri: uri })
  t.match({ status: answer.statusCode, ...answer.json() }, { status: 201, subject_type: 'pairwise', sector_identifier_uri: uri })
  const { client_id: id, registration_access_token: token } = answer.json()
  t.match((await send(app, 'GET', pathOf(answer), undefined, token)).json(), { sector_identifier_uri: uri })
  t.equal((await register(app, { ...METADATA, sector_identifier_uri: uri })).json().subject_type, 'public')
  t.equal(asked.length, 2)
  for (const [name, page] of Object.entries({
    'no JSON': (response: ServerResponse) => response.end('['),
    'an object': json(200, { callbacks: [CALLBACK] }),
    'another callback': json(200, [`${CALLBACK}/`]),
    nothing: json(404, [CALLBACK]),
    'a redirect': (response: ServerResponse) => response.writeHead(302, { location: '/other' }).end(),
    'too long': json(200, [CALLBACK, 'x'.repeat(60_000)]),
    'too deep': (response: ServerResponse) => response.end('['.repeat(10_000)),
    'closed at once': (response: ServerResponse) => response.destroy()
  })) {
    pages.set('/sector.json', page)
    const metadata = { ...METADATA, client_id: id, subject_type: 'pairwise', sector_identifier_uri: uri }
    for (const refused of [await register(app, metadata), await send(app, 'PUT', pathOf(answer), metadata, token)]) {
      t.match({ status: refused.statusCode, ...refused.json() }, { status: 400, error: 'invalid_client_metadata', error_description: /^sector_identifier_uri: The / }, name)
    }
  }
  const before = asked.length
  for (const wrong of ['http://app.example/sector.json', 'https://169.254.169.254/', 'ftp://app.example/', 'x', `${uri}#x`]) {
    const refused = await register(app, { ...METADATA, subject_type: 'pairwise', sector_identifier_uri: wrong })
    t.match({ status: refused.statusCode, ...refused.json() }, { status: 400, error: 'invalid_client_metadata', error_description: /^sector_identifier_uri: It must be / }, wrong)
  }
  t.equal(asked.length, before)
  for (const none of [null, '']) t.equal((await register(app, { ...METADATA, sector_identifier_uri: none })).statusCode, 201)
})

t.test('a registration that is refused for its sector counts as one, with a token too: no app makes the server fetch without end', async t => {
  const { app, stores } = await build(t, { ...env, REGISTRATION_LIMIT: '20' })
  const { pages, origin, asked } = await website(t)
  pages.set('/sector.json', json(200, []))
  const { hashOpaqueToken } = await import('../../../src/sign-in/opaque-token.js')
  await stores.registrationTokens.add({
    id: '1', hash: hashOpaqueToken('token'), usesLeft: 1, grantTypes: ['authorization_code'], allowedScope: null, createdAt: new Date(), expiresAt: new Date(Date.now() + 600_000)
  })
  const statuses = []
  for (let i = 0; i < 25; i++) statuses.push((await register(app, { ...METADATA, sector_identifier_uri: `${origin}/sector.json` }, 'token')).statusCode)
  t.same(statuses, [...Array<number>(20).fill(400), ...Array<number>(5).fill(429)])
  t.equal(asked.length, 20)
})

t.test('a metadata document that names a sector_identifier_uri is read only if that lists its callbacks', async t => {
  const { app } = await build(t, env)
  const { put, pages, origin } = await website(t)
  const ask = async (path: string) => await new Browser(app).get(`/authorize?${codeQuery({ client_id: put(path, { sector_identifier_uri: `${origin}/sector.json` }) })}`)
  pages.set('/sector.json', json(200, [CALLBACK]))
  t.equal((await ask('/listed.json')).statusCode, 302)
  pages.set('/sector.json', json(200, ['https://other.example/cb']))
  const refused = await ask('/missing.json')
  t.equal(refused.statusCode, 400)
  t.match(refused.body, 'sector_identifier_uri: The document there does not list the callback https://app.example/cb.')
})
