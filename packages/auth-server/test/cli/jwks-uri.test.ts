import { exportJWK, generateKeyPair } from 'jose'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

const add = (id: string, ...more: string[]) => ['client', 'add', id, '--name', 'Web shop', ...more]

t.test('an app that publishes its keys is registered with their address, which an update can set and remove, and files have', async t => {
  const { cli, stores } = await onDatabase(t)
  const address = 'https://shop.example/jwks.json'
  const keysOf = async () => { const { tokenEndpointAuthMethod, jwks, jwksUri } = (await stores.clients.find('signer'))!; return [tokenEndpointAuthMethod, jwks, jwksUri] }
  t.equal(cli(add('signer', '--grant', 'client_credentials', '--jwks-uri', address)).code, 0)
  t.same(await keysOf(), ['private_key_jwt', null, address])
  t.match(cli(['client', 'show', 'signer']).stdout, /^Keys +published at https:\/\/shop\.example\/jwks\.json$/m)
  const file = cli(['export']).stdout
  t.match(file, `jwksUri: ${address}`)
  t.equal(cli(['client', 'update', 'signer', '--auth-method', 'private_key_jwt']).code, 0)
  t.same(await keysOf(), ['private_key_jwt', null, address], 'kept')
  const keys = join(folder(t), 'keys.json')
  writeFileSync(keys, JSON.stringify({ keys: [await exportJWK((await generateKeyPair('ES256')).publicKey)] }))
  t.equal(cli(['client', 'update', 'signer', '--jwks', keys]).code, 0)
  t.match(await keysOf(), ['private_key_jwt', /kty/, null])
  t.match(cli(['apply', '-f', '-'], file).code, 0)
  t.same(await keysOf(), ['private_key_jwt', null, address])
  t.equal(cli(['client', 'update', 'signer', '--jwks-uri', `${address}?2`]).code, 0)
  t.same(await keysOf(), ['private_key_jwt', null, `${address}?2`])
  for (const [more, sentence] of [
    [['--jwks-uri', 'ftp://shop.example/keys'], /The address of the keys must be an https URL/],
    [['--jwks-uri', 'http://shop.example/keys'], /The address of the keys must be https/],
    [['--jwks-uri', 'x'], /must be an https URL/],
    [['--jwks-uri', `${address}#x`], /without user name and fragment/],
    [['--jwks-uri', address, '--jwks', keys], /in a JWK Set or at an address, not both/],
    [['--jwks-uri', address, '--auth-method', 'none'], /needs private_key_jwt/]
  ] as const) {
    t.match(cli(['client', 'update', 'signer', ...more]), { code: 1, stderr: sentence }, more.join(' '))
    t.match(cli(add('other', '--grant', 'client_credentials', ...more)), { code: 1, stderr: sentence }, more.join(' '))
  }
  t.equal(cli(['client', 'update', 'signer', '--auth-method', 'client_secret_basic']).code, 0)
  t.same(await keysOf(), ['client_secret_basic', null, null])
})
