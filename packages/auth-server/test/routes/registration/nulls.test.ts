import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readClients } from '../../../src/cli/apply/read-clients.js'
import { readJwks } from '../../../src/cli/client/files.js'
import { readClaims } from '../../../src/oauth/claims-request.js'
import { ClientMetadata } from '../../../src/registration/client-metadata.js'
import { createFetchedKeys } from '../../../src/registration/fetched-keys.js'
import { readClientDocument } from '../../../src/registration/read-client-document.js'
import { folder } from '../../support/cli/frontdesk-auth.js'
import { build, CALLBACK } from '../../support/helper.js'
import { pathOf, register, send } from '../../support/registration-flow.js'

const REQUIRED = { redirect_uris: [CALLBACK] }
/** Null for every member of client metadata, for unknown ones, and inside members. */
const NULLS = {
  ...Object.fromEntries(Object.keys(ClientMetadata.properties).filter(it => !(it in REQUIRED)).map(name => [name, null])),
  contacts: null,
  software_id: null
}
const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: null, use: null, d: null, k: null }
const KEYS = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: null, jwks: { keys: [KEY], more: null } }

t.test('null for an optional member of metadata means absent, at registration and at each change', async t => {
  const { app } = await build(t, { REGISTRATION: 'open' })
  const answer = await register(app, { ...REQUIRED, ...NULLS })
  t.equal(answer.statusCode, 201, answer.body)
  const { client_id: id, client_secret: secret, registration_access_token: token } = answer.json()
  const own = ['client_id', 'client_secret', 'registration_access_token', 'client_id_issued_at', 'registration_client_uri']
  const withoutOwn = (registered: object) => Object.fromEntries(Object.entries(registered).filter(([name]) => !own.includes(name)))
  t.same(withoutOwn(answer.json()), withoutOwn((await register(app, REQUIRED)).json()))
  const changed = await send(app, 'PUT', pathOf(answer), { ...REQUIRED, ...NULLS, client_id: id, client_secret: null }, token)
  t.match({ status: changed.statusCode, ...changed.json() }, { status: 200, client_secret: secret }, changed.body)
  const signed = await register(app, { ...REQUIRED, ...KEYS })
  t.match({ status: signed.statusCode, ...signed.json() }, { status: 201, token_endpoint_auth_method: 'private_key_jwt' })
  t.same(signed.json().jwks, { keys: [{ kty: 'OKP', crv: 'Ed25519', x: KEY.x }] })
  for (const [payload, error] of [
    [{ redirect_uris: null }, 'invalid_redirect_uri'], [{ redirect_uris: [null] }, 'invalid_redirect_uri'], [{ ...REQUIRED, ...KEYS, jwks: null }, 'invalid_client_metadata'],
    [{ ...REQUIRED, ...KEYS, jwks: { keys: null } }, 'invalid_client_metadata'], [{ ...REQUIRED, ...KEYS, jwks: { keys: [null] } }, 'invalid_client_metadata'], [null, 'invalid_client_metadata']
  ] as const) t.match((await register(app, payload)).json(), { error }, JSON.stringify(payload))
  const unnamed = { ...REQUIRED, client_id: null }
  t.match((await send(app, 'PUT', pathOf(answer), unnamed, changed.json().registration_access_token)).json(), { error: 'invalid_client_metadata', error_description: /^client_id: / })
})

t.test('null means absent in a metadata document, in keys at an address and in a file of keys', async t => {
  const id = 'https://app.example/client.json'
  const read = (document: object) =>
    readClientDocument(id, { status: 200, type: 'application/json', text: JSON.stringify(document) }, { allowPrivateNetworks: false, callbackSchemes: [] })
  const plain = read({ client_id: id, ...REQUIRED })
  t.same(read({ client_id: id, ...REQUIRED, ...NULLS, client_secret: null, client_secret_expires_at: null }), plain)
  t.equal(plain.name, 'app.example')
  t.match(read({ client_id: id, ...REQUIRED, ...KEYS }), { tokenEndpointAuthMethod: 'private_key_jwt', jwks: `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${KEY.x}"}]}` })
  t.throws(() => read({ client_id: null, ...REQUIRED }), /its own address/)
  const fetched = (text: string) => createFetchedKeys(async url => {
    if (url !== 'https://app.example/jwks') throw new OutgoingError('url', url)
    return { status: 200, headers: {}, text }
  }, async () => true).at({ jwksUri: 'https://app.example/jwks', registeredBy: 'open' }, '192.0.2.1', new Date())
  await t.resolves(fetched(JSON.stringify({ keys: [KEY], more: null })))
  for (const text of [JSON.stringify({ keys: null }), 'null', `{"keys":[${'['.repeat(20_000)}`]) await t.rejects(fetched(text), /cannot be fetched/)
  const file = join(folder(t), 'keys.json')
  writeFileSync(file, JSON.stringify({ keys: [KEY] }))
  t.strictSame(readJwks(file), { keys: [{ kty: 'OKP', crv: 'Ed25519', x: KEY.x }] })
})

t.test('null means absent in the parameter claims, where it does not ask for a claim (OpenID Connect Core §5.5)', async t => {
  const read = (claims: unknown) => readClaims({ claims: JSON.stringify(claims) }, [], { accessToken: true })
  t.same(read({ userinfo: null, id_token: null, other: null }), { scope: [], subjects: undefined, acrs: undefined })
  t.same(read({ userinfo: { email: null } }), { scope: ['userinfo:email'], subjects: undefined, acrs: undefined })
  const email = { essential: null, value: null, values: null, more: null }
  t.same(read({ id_token: { email } }), { scope: ['id_token:email'], subjects: undefined, acrs: undefined })
  t.same(read({ id_token: { sub: { value: null } } }), { scope: [], subjects: undefined, acrs: undefined })
  t.same(read({ id_token: { sub: { value: null, values: ['a', null] } } }), { scope: [], subjects: ['a'], acrs: undefined })
  t.same(read({ id_token: { acr: { essential: true, value: null } } }), { scope: [], subjects: undefined, acrs: undefined })
  t.throws(() => read(null), /no JSON object/)
})

t.test('null means absent in a file of apps; a required field is missing then', async t => {
  const file = join(folder(t), 'clients.yaml')
  const read = async (text: string) => {
    writeFileSync(file, text)
    return await readClients(file, [])
  }
  const plain = await read('clients:\n  - clientId: a\n    name: A\n    callbacks: [https://a.example/]\n')
  const names = Object.keys(plain.clients[0]!).filter(name => !['clientId', 'name', 'callbacks'].includes(name))
  t.ok(names.length > 15)
  t.same(await read(`roles: null\nclients:\n  - clientId: a\n    name: A\n    callbacks: [https://a.example/]\n${names.map(name => `    ${name}: null\n`).join('')}`), plain)
  await t.rejects(read('clients:\n  - clientId: a\n    name: null\n    callbacks: [https://a.example/]\n'), /clients\.yaml:3: "a": name is missing/)
  await t.rejects(read('clients: null\n'), /clients is missing/)
  await t.rejects(read('clients: [null]\n'), /Expected object/)
  await t.rejects(read('clients: &a [*a]\n'), /Expected object/)
})
