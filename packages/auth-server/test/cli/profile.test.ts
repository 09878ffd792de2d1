import { exportJWK, generateKeyPair } from 'jose'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findProfileFaults, type ProfileColumns } from '../../src/registration/profile-rules.js'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

const CALLBACK = ['--callback', 'https://bank.example/callback']

t.test('an app with the profile fapi2 has all that the profile asks for, and no option takes it away', async t => {
  const { cli, stores } = await onDatabase(t)
  const jwks = join(folder(t), 'jwks.json')
  writeFileSync(jwks, JSON.stringify({ keys: [await exportJWK((await generateKeyPair('ES256')).publicKey)] }))
  const add = (...options: string[]) => cli(['client', 'add', 'bank', '--name', 'Bank', '--profile', 'fapi2', ...CALLBACK, ...options])
  t.match(add(), { code: 1, stderr: /^A client with the profile fapi2 signs assertions: add --jwks\.$/m })
  t.match(add('--jwks', jwks, '--grant', 'authorization_code', '--grant', 'implicit'), { code: 1, stderr: /uses no other grants than/ })
  t.equal(await stores.clients.find('bank'), null)
  t.equal(add('--jwks', jwks).code, 0)
  t.match(await stores.clients.find('bank'), {
    profile: 'fapi2',
    tokenEndpointAuthMethod: 'private_key_jwt',
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    pkce: 'required',
    implicit: 'off',
    idTokenSignedResponseAlg: 'ES256'
  })
  t.match(cli(['client', 'show', 'bank']).stdout, /^Profile +FAPI 2\.0 Security Profile$/m)
  for (const options of [['--no-require-par'], ['--no-require-dpop'], ['--confidential'], ['--native'], ['--id-token-alg', 'RS256'], ['--pkce', 'optional'], ['--implicit', 'allowed']]) {
    t.match(cli(['client', 'update', 'bank', ...options]), { code: 1, stderr: /A client with the profile fapi2/ }, options.join(' '))
  }
  t.equal(cli(['client', 'update', 'bank', '--name', 'Bank of all']).code, 0)

  const { stdout } = cli(['export'])
  t.match(stdout, /^ {4}profile: fapi2$/m)
  const file = join(folder(t), 'clients.yml')
  writeFileSync(file, stdout)
  t.match(cli(['apply', '--file', file]).stdout, /1 unchanged/)
  writeFileSync(file, stdout.replace('dpopBoundAccessTokens: true', 'dpopBoundAccessTokens: false'))
  t.match(cli(['apply', '--file', file]), { code: 1, stderr: /"bank": A client with the profile fapi2 binds its tokens to a key/ })
})

t.test('what contradicts the profile fapi2 (§5.3.2, §5.4.1)', async t => {
  const jwk = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })
  const right: ProfileColumns = {
    profile: 'fapi2',
    callbacks: ['https://bank.example/callback'],
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    tokenEndpointAuthMethod: 'private_key_jwt',
    pkce: 'required',
    jwks: JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256' }, { kty: 'OKP', crv: 'Ed25519' }, jwk(2048)] }),
    native: false,
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    idTokenSignedResponseAlg: 'EdDSA',
    userinfoSignedResponseAlg: null,
    implicit: 'off'
  }
  t.same(findProfileFaults(right), [])
  t.same(findProfileFaults({ ...right, profile: null, dpopBoundAccessTokens: false }), [])
  const rows: Array<Partial<ProfileColumns>> = [
    { callbacks: ['http://127.0.0.1/callback'] },
    { callbacks: ['com.example.bank:/callback'] },
    { native: true },
    { grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] },
    { implicit: 'allowed' },
    { tokenEndpointAuthMethod: 'client_secret_basic' },
    { tokenEndpointAuthMethod: 'none' },
    { pkce: 'optional' },
    { requirePushedAuthorizationRequests: false },
    { dpopBoundAccessTokens: false },
    { idTokenSignedResponseAlg: 'RS256' },
    { userinfoSignedResponseAlg: 'RS256' },
    { jwks: JSON.stringify({ keys: [jwk(1024)] }) },
    { jwks: JSON.stringify({ keys: [{ kty: 'RSA', n: 'x' }] }) },
    { jwks: JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-384' }] }) }
  ]
  for (const changes of rows) t.equal(findProfileFaults({ ...right, ...changes }).length, 1, JSON.stringify(changes).slice(0, 60))
})
