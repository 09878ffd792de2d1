import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { addSecret } from '../../src/admin/client-secrets.js'
import { codeClient, codeQuery, exchangeForm, form, getCode, post } from '../support/code-flow.js'
import { askForCodes, DEVICE_CODE, deviceClient } from '../support/device-flow.js'
import { build } from '../support/helper.js'

/** Every parameter of the endpoints for clients, without a value. */
const EMPTY = [
  'client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'grant_type', 'code', 'redirect_uri', 'code_verifier',
  'refresh_token', 'device_code', 'scope', 'resource', 'token', 'token_type_hint', 'request', 'request_uri', 'state', 'nonce', 'prompt',
  'max_age', 'dpop_jkt', 'unknown'
].map(name => `${name}=`).join('&')

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` })

t.test('a parameter without a value is one that was left out, in client authentication, too (RFC 6749 §3.2)', async t => {
  const { app, stores } = await build(t)
  const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE]
  await stores.clients.put(codeClient())
  await stores.clients.put(deviceClient())
  for (const method of ['client_secret_basic', 'client_secret_post']) {
    await stores.clients.put(codeClient({ id: method, grantTypes, tokenEndpointAuthMethod: method }))
  }
  const inHeader = basic('client_secret_basic', (await addSecret(stores, 'client_secret_basic', { kind: 'shell', name: 'test' })).secret)
  const inForm = { client_id: 'client_secret_post', client_secret: (await addSecret(stores, 'client_secret_post', { kind: 'shell', name: 'test' })).secret }
  const clients: Array<[name: string, own: Record<string, string>, headers: Record<string, string>]> = [
    ['public', { client_id: 'app' }, {}],
    ['public, by Basic without a secret', {}, basic('app', '')],
    ['with a secret in the header', {}, inHeader],
    ['with a secret in the form', inForm, {}]
  ]
  for (const [name, own, headers] of clients) {
    const id = own.client_id ?? (headers.authorization === inHeader.authorization ? 'client_secret_basic' : 'app')
    const isPublic = id === 'app'
    for (const place of ['before', 'after']) {
      const send = async (path: string, fields: string) => {
        const all = new URLSearchParams(fields)
        all.delete('client_id')
        const body = [all.toString(), form(own)].filter(it => it !== '').join('&')
        return await post(app, path, place === 'before' ? `${EMPTY}&${body}` : `${body}&${EMPTY}`, headers)
      }
      const code = await getCode(app, { client_id: id })
      const tokens = await send('/token', exchangeForm(code))
      t.equal(tokens.statusCode, 200, `${name}: a code`)
      t.equal(tokens.json().scope, 'customer:read', `${name}: an empty scope is none`)
      const { access_token: token, refresh_token: refreshToken } = tokens.json()
      t.equal((await send('/token', form({ grant_type: 'refresh_token', refresh_token: refreshToken }))).statusCode, 200, `${name}: a refresh token`)
      if (!isPublic) t.equal((await send('/token', form({ grant_type: 'client_credentials' }))).statusCode, 200, `${name}: client_credentials`)
      if (!isPublic) t.match((await send('/introspect', form({ token }))).json(), { active: true }, `${name}: introspection`)
      t.equal((await send('/revoke', form({ token }))).statusCode, 200, `${name}: revocation`)
      t.equal((await send('/par', codeQuery())).statusCode, 201, `${name}: a pushed request`)
    }
  }
  t.equal((await post(app, '/device_authorization', `client_id=tv&${EMPTY}`)).statusCode, 200)
  t.match((await post(app, '/token', `grant_type=${encodeURIComponent(DEVICE_CODE)}&client_id=tv&device_code=${(await askForCodes(app)).device_code}&${EMPTY}`)).json(), { error: 'authorization_pending' })
})

t.test('without a value, what is required is missing', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE] }))
  const secret = codeClient({ id: 'secret', tokenEndpointAuthMethod: 'client_secret_post' })
  await stores.clients.put(secret)
  const rows: Array<[path: string, body: string, error: string, description?: string]> = [
    ['/token', 'client_id=&grant_type=authorization_code', 'invalid_client'],
    ['/token', 'client_id=secret&client_secret=&grant_type=authorization_code', 'invalid_client'],
    ['/token', 'client_id=app&grant_type=', 'invalid_request', 'The parameter grant_type is missing.'],
    ['/token', 'client_id=app&grant_type=authorization_code&code=', 'invalid_request', 'The parameter code is missing.'],
    ['/token', 'client_id=app&grant_type=refresh_token&refresh_token=', 'invalid_request', 'The parameter refresh_token is missing.'],
    ['/token', `client_id=app&grant_type=${encodeURIComponent(DEVICE_CODE)}&device_code=`, 'invalid_request', 'The parameter device_code is missing.'],
    ['/revoke', 'client_id=app&token=', 'invalid_request', 'The parameter token is missing.'],
    ['/par', 'client_id=app&response_type=', 'invalid_request', 'The parameter response_type is missing.']
  ]
  for (const [path, body, error, description] of rows) {
    t.match((await post(app, path, body)).json(), { error, ...(description !== undefined && { error_description: description }) }, `${path} ${body}`)
  }
  for (const [id, password] of [['', 'x'], ['unknown', '']] as const) t.match((await refused(app, basic(id, password))), { error: 'invalid_client' }, `${id}:${password}`)
})

async function refused (app: FastifyInstance, headers: Record<string, string>) {
  return (await post(app, '/token', 'client_id=app&grant_type=authorization_code&code=x', headers)).json()
}
