import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

const APP = ['--name', 'Shop', '--callback', 'https://shop.example/auth/callback/desk']

t.test('--id-token-claims: add, update, show, export and files', async t => {
  const { cli, stores } = await onDatabase(t)
  const stored = async () => (await stores.clients.find('shop'))?.idTokenClaims
  t.match(JSON.parse(cli(['client', 'add', 'shop', ...APP, '--json']).stdout), { idTokenClaims: false })
  t.notMatch(cli(['export']).stdout, 'idTokenClaims')
  t.match(cli(['client', 'update', 'shop', '--id-token-claims']), { code: 0 })
  t.equal(await stored(), true)
  t.match(cli(['client', 'show', 'shop']).stdout, /ID tokens .*signed with RS256, with the claims of granted scopes/)
  const exported = cli(['export']).stdout
  t.match(exported, 'idTokenClaims: true')
  cli(['client', 'update', 'shop', '--name', 'Other'])
  t.equal(await stored(), true, 'another change keeps it')
  cli(['client', 'update', 'shop', '--no-id-token-claims'])
  t.equal(await stored(), false)
  const file = join(folder(t), 'clients.yaml')
  writeFileSync(file, exported)
  t.match(cli(['apply', '-f', file]), { code: 0, stdout: '1 changed' })
  t.equal(await stored(), true)
})

t.test('client add --for turns it on for libraries that read only the ID token, and chooses what else they need', async t => {
  const { cli, stores } = await onDatabase(t)
  const add = async (...options: string[]) => {
    const { code, stderr } = cli(['client', 'add', 'shop', ...APP, ...options])
    if (code !== 0) return stderr
    const { idTokenClaims, pkce, tokenEndpointAuthMethod } = (await stores.clients.find('shop'))!
    await stores.clients.remove('shop')
    return { idTokenClaims, pkce, tokenEndpointAuthMethod }
  }
  const [none, basic, post] = ['none', 'client_secret_basic', 'client_secret_post']
  const rows: Array<[options: string[], chosen: object]> = [
    [['authjs', '--confidential'], { idTokenClaims: true, pkce: 'required', tokenEndpointAuthMethod: basic }],
    [['next-auth'], { idTokenClaims: true, pkce: 'required', tokenEndpointAuthMethod: none }],
    [['authjs', '--no-id-token-claims'], { idTokenClaims: false }],
    [['passport'], { idTokenClaims: true, pkce: 'optional', tokenEndpointAuthMethod: post }],
    [['passport-openidconnect', '--confidential'], { idTokenClaims: true, pkce: 'optional', tokenEndpointAuthMethod: post }],
    [['@hono/oidc-auth'], { idTokenClaims: true, pkce: 'required', tokenEndpointAuthMethod: basic }],
    [['@azure/msal-browser'], { idTokenClaims: true, tokenEndpointAuthMethod: none }],
    [['authlib', '--confidential'], { idTokenClaims: true }],
    [['openid-client', '--confidential'], { idTokenClaims: false }],
    [['oidc-client-ts'], { idTokenClaims: false }],
    [['oidc-client-ts', '--require-dpop'], { idTokenClaims: true }],
    [['angular-oauth2-oidc'], { idTokenClaims: false }]
  ]
  for (const [options, chosen] of rows) t.match(await add('--for', ...options), chosen, options.join(' '))
  t.match(await add('--for', 'passport', '--pkce', 'required'), 'passport cannot use PKCE, which this client requires.')
  t.match(await add('--for', 'hono', '--auth-method', post!), 'hono does not support this authentication method. Use --auth-method client_secret_basic.')
  t.match(await add('--for', 'msal-browser', '--confidential'), 'msal-browser runs in the browser')
})

t.test('client show --for says when a library will not find the name', async t => {
  const { cli } = await onDatabase(t)
  cli(['client', 'add', 'shop', ...APP, '--confidential', '--id-token-alg', 'ES256'])
  const show = () => cli(['client', 'show', 'shop', '--for', 'authjs']).stdout
  t.match(show(), /id: 'desk',[^]*client: \{ id_token_signed_response_alg: 'ES256' \},[^]*scope: 'openid profile email'[^]*client update shop --id-token-claims/)
  cli(['client', 'update', 'shop', '--id-token-claims'])
  t.notMatch(show(), 'client update')
})
