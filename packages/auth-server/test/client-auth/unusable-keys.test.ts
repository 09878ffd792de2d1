import { generateKeyPair, SignJWT } from 'jose'
import t from 'tap'
import { client, build } from '../support/helper.js'
import { form, post } from '../support/code-flow.js'

t.test('a registered key that cannot be used authenticates no client, and is no fault of the server', async t => {
  const { app, stores, logs } = await build(t)
  const rows: Array<[alg: string, key: object]> = [
    ['ES256', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }],
    ['ES256', { kty: 'EC', crv: 'P-256' }],
    ['ES256', { kty: 'EC', crv: 'P-256', x: 1, y: 2 }],
    ['EdDSA', { kty: 'OKP', crv: 'Ed25519', x: 'AA' }],
    ['RS256', { kty: 'RSA', n: 'AQAB', e: 'AQAB' }],
    ['RS256', { kty: 'RSA', e: 'AQAB' }]
  ]
  for (const [alg, key] of rows) {
    await stores.clients.put(client({
      grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'private_key_jwt', jwks: JSON.stringify({ keys: [key] })
    }))
    const { privateKey } = await generateKeyPair(alg)
    const assertion = await new SignJWT({ iss: 'app', sub: 'app', aud: 'https://id.example', jti: 'one' })
      .setProtectedHeader({ alg }).setExpirationTime('1m').sign(privateKey)
    for (const endpoint of ['/token', '/par', '/revoke', '/introspect']) {
      const response = await post(app, endpoint, form({
        grant_type: 'client_credentials',
        token: 'x',
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      }))
      t.match([response.statusCode, response.json().error], [401, 'invalid_client'], `${endpoint} with ${JSON.stringify(key)}`)
    }
  }
  t.same(logs.filter(line => line.includes('"level":50')), [])
})
