import { decodeJwt } from 'jose'
import t from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { build } from '../support/helper.js'
import { codeClient, form, post } from '../support/code-flow.js'

export const onBothDatabases = true

t.test('a confidential client gets an access token for itself, and no refresh token (RFC 6749 §4.4)', async t => {
  const { app, stores } = await build(t)
  const job = {
    id: 'job',
    callbacks: [],
    grantTypes: ['client_credentials'],
    tokenEndpointAuthMethod: 'client_secret_post',
    defaultScope: 'customer:read customer:write',
    resources: ['https://other.example']
  }
  await stores.clients.put(codeClient(job))
  await stores.clients.put(codeClient({ ...job, id: 'public', tokenEndpointAuthMethod: 'none' }))
  await stores.clientSecrets.add({ clientId: 'job', hash: hashOpaqueToken('secret'), createdAt: new Date() })
  const ask = async (changes: Record<string, string | undefined> = {}) =>
    await post(app, '/token', form({ grant_type: 'client_credentials', client_id: 'job', client_secret: 'secret', ...changes }))

  const answer = (await ask()).json()
  t.same(Object.keys(answer).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
  const claims = decodeJwt(answer.access_token)
  t.match(claims, {
    sub: 'job',
    client_id: 'job',
    aud: 'https://api.example',
    scope: 'customer:read customer:write',
    gty: 'client_credentials'
  })
  t.notOk('auth_time' in claims, 'without a sign-in')
  t.equal((await ask({ scope: 'customer:read' })).json().scope, 'customer:read')
  t.equal(decodeJwt((await ask({ resource: 'https://other.example' })).json().access_token).aud, 'https://other.example')

  t.equal((await ask({ scope: 'customer:delete' })).json().error, 'invalid_scope', 'it cannot get more than its registered scope')
  t.equal((await ask({ resource: 'https://third.example' })).json().error, 'invalid_target')
  t.equal((await ask({ client_secret: 'other' })).json().error, 'invalid_client')
  t.equal((await ask({ client_id: 'public', client_secret: undefined })).json().error, 'unauthorized_client', 'a public client')
})
