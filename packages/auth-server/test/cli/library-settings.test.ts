import * as oauth from 'oauth4webapi'
import { OidcClient, type OidcClientSettings } from 'oidc-client-ts'
import * as openid from 'openid-client'
import t from 'tap'
import { whyNotLibrary } from '../../src/admin/libraries/settings.js'
import { serve } from '../support/relying-party.js'
import { onDatabase, runBeside } from '../support/cli/frontdesk-auth.js'

const CALLBACK = ['--callback', "https://shop.example/a'b"]
const SIGN_OUT = ['--post-logout-redirect-uri', 'https://shop.example/']
const ADDRESSES = { redirect_uri: "https://shop.example/a'b", post_logout_redirect_uri: 'https://shop.example/' }
const SCOPE = 'openid profile'

/** The constants that the libraries are given. */
interface Printed {
  redirect_uri: string
  scope: string
  config: openid.Configuration
  server: oauth.AuthorizationServer
  client: oauth.Client
  clientAuth: oauth.ClientAuth
  options: object
  manager: { settings: OidcClientSettings }
}

/** What is printed, run as it is; the libraries are found from here. */
async function load (printed: string): Promise<Printed> {
  const code = printed.slice(printed.search(/^import/m))
    .replace(/(?<=^import .* from )'(.*)'/gm, (all, name: string) => `'${import.meta.resolve(name)}'`)
  const names = [...code.matchAll(/^const (\w+)/gm)].map(([, name]) => name)
  // as: each test uses what its library has.
  return await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { ${names.join(', ')} }`)}`) as Printed
}

/** A server, and the program on its database. */
async function setUp (t: Parameters<typeof serve>[0]) {
  const { issuer, allow, databaseUrl } = await serve(t, {})
  const run = async (...args: string[]) =>
    (await runBeside(['client', ...args], { DATABASE_URL: databaseUrl, ISSUER: issuer.origin })).stdout
  return { allow, run }
}

for (const kind of [[], ['--confidential', '--id-token-alg', 'EdDSA'], ['--confidential', '--auth-method', 'client_secret_post']]) {
  t.test(`what is printed for openid-client and oauth4webapi works as it is: client add ${kind.join(' ')}`, async t => {
    const { allow, run } = await setUp(t)
    const added = await run('add', 'shop', '--name', 'Shop', ...CALLBACK, ...SIGN_OUT, ...kind, '--for', 'openid-client')
    process.env.CLIENT_SECRET = /shown only now: (\S+)/.exec(added)?.[1] ?? ''
    const [pkceCodeVerifier, expectedNonce] = [openid.randomPKCECodeVerifier(), openid.randomNonce()]
    const challenge = { code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256' }

    const forClient = await load(added)
    t.match(forClient, { ...ADDRESSES, scope: SCOPE })
    const { config, redirect_uri: callback, scope } = forClient
    const request = { redirect_uri: callback, scope, nonce: expectedNonce, ...challenge }
    const checks = { pkceCodeVerifier, expectedNonce, idTokenExpected: true }
    const tokens = await openid.authorizationCodeGrant(config, await allow(openid.buildAuthorizationUrl(config, request)), checks)
    t.equal(tokens.scope, SCOPE)

    const forApi = await load(await run('show', 'shop', '--for', 'oauth4webapi'))
    t.match(forApi, { ...ADDRESSES, scope: SCOPE })
    const { server, client, clientAuth, options } = forApi
    const query = new URLSearchParams({ response_type: 'code', client_id: client.client_id, ...request })
    const answer = oauth.validateAuthResponse(server, client, await allow(new URL(`${server.authorization_endpoint}?${query}`)))
    const response = await oauth.authorizationCodeGrantRequest(server, client, clientAuth, answer, callback, pkceCodeVerifier, options)
    t.equal((await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce, requireIdToken: true })).scope, SCOPE)
  })
}

t.test('what is printed for oidc-client-ts works as it is', async t => {
  const { allow, run } = await setUp(t)
  const grants = ['--grant', 'authorization_code', '--grant', 'refresh_token', '--default-scope', 'customer:write']
  const { manager } = await load(await run('add', 'page', '--name', 'Page', ...CALLBACK, ...SIGN_OUT, ...grants, '--for', 'oidc-client-ts'))
  t.match(manager.settings, { ...ADDRESSES, automaticSilentRenew: true, revokeTokensOnSignout: true, loadUserInfo: true })
  const client = new OidcClient(manager.settings)
  const { url } = await client.createSigninRequest({})
  const user = await client.processSigninResponse((await allow(new URL(url))).href)
  t.equal(user.scope, 'openid profile customer:write')
  t.equal(user.profile.preferred_username, 'ann')
  t.ok(user.refresh_token)
})

t.test('what is printed depends on how an app authenticates and what signs its tokens; the tests of the pages run the rest', async t => {
  const { cli } = await onDatabase(t)
  const show = (id: string, library: string) => cli(['client', 'show', id, '--for', library]).stdout
  cli(['client', 'add', 'public', '--name', 'Public', ...CALLBACK])
  cli(['client', 'add', 'poster', '--name', 'Poster', ...CALLBACK, '--confidential', '--auth-method', 'client_secret_post'])
  cli(['client', 'add', 'signed', '--name', 'Signed', ...CALLBACK, ...SIGN_OUT, '--id-token-alg', 'ES256', '--userinfo-alg', 'RS256'])
  t.match(show('public', 'authlib'), /^from authlib[^]*'token_endpoint_auth_method': 'none',[^]*^redirect_uri = 'https:\/\/shop\.example\/a\\'b'$/m)
  t.match(show('poster', 'authlib'), /^import os\n[^]*client_secret=os\.environ\['CLIENT_SECRET'\][^]*'token_endpoint_auth_method': 'client_secret_post'/)
  t.notMatch(show('public', 'mod_auth_openidc'), 'OIDCClientSecret')
  t.match(show('poster', 'mod_auth_openidc'), /^OIDCProviderTokenEndpointAuth "client_secret_post"$/m)
  t.match(show('signed', 'mod_auth_openidc'), /^OIDCIDTokenSignedResponseAlg "ES256"\nOIDCUserInfoSignedResponseAlg "RS256"$/m)
  t.match(show('signed', 'mod_auth_openidc'), "# To sign out: https://shop.example/a'b?logout=https%3A%2F%2Fshop.example%2F")
})

t.test('an app that cannot use a library is told so before anything is registered', async t => {
  const { cli, stores } = await onDatabase(t)
  const rows: Array<[library: string, options: string[], sentence: RegExp]> = [
    [
      'openid-client',
      ['--grant', 'client_credentials', '--confidential'],
      /openid-client needs a client with a callback and the authorization code grant\./
    ],
    ['oauth4webapi', [...CALLBACK, '--grant', 'implicit'], /oauth4webapi needs a client with a callback/],
    ['oidc-client-ts', [...CALLBACK, '--require-par'], /oidc-client-ts cannot push its authorization requests, which this client requires\./],
    ['oidc-client-ts', [...CALLBACK, '--confidential'], /oidc-client-ts runs in the browser, .* it needs a public client\./],
    ['react-oidc-context', [...CALLBACK, '--require-par'], /react-oidc-context cannot push its authorization requests, which this client requires\./],
    ['angular-oauth2-oidc', [...CALLBACK, '--confidential'], /angular-oauth2-oidc runs in the browser/],
    ['angular-oauth2-oidc', [...CALLBACK, '--require-dpop'], /angular-oauth2-oidc cannot bind its tokens to a key, which this client requires\./],
    ['authlib', [...CALLBACK, '--userinfo-alg', 'RS256'], /authlib cannot read signed \/userinfo responses, which this client requires\./],
    ['authlib', [...CALLBACK, '--id-token-alg', 'EdDSA'], /authlib cannot verify EdDSA, which this client requires\./],
    ['mod_auth_openidc', [...CALLBACK, '--id-token-alg', 'EdDSA'], /mod_auth_openidc cannot verify EdDSA, which this client requires\./],
    ['mod_auth_openidc', [...CALLBACK, '--userinfo-alg', 'EdDSA'], /mod_auth_openidc cannot verify EdDSA, which this client requires\./]
  ]
  for (const [library, options, sentence] of rows) {
    const { code, stderr } = cli(['client', 'add', 'shop', '--name', 'Shop', ...options, '--for', library])
    t.equal(code, 1, library)
    t.match(stderr, sentence)
    t.equal(await stores.clients.find('shop'), null)
  }
  t.equal(
    whyNotLibrary('openid-client', {
      grantTypes: ['authorization_code'],
      callbacks: ['x'],
      postLogoutRedirectUris: [],
      defaultScope: '',
      tokenEndpointAuthMethod: 'private_key_jwt',
      pkce: 'required',
      requirePushedAuthorizationRequests: false,
      dpopBoundAccessTokens: false,
      idTokenSignedResponseAlg: 'RS256',
      idTokenClaims: false,
      userinfoSignedResponseAlg: null
    }),
    'The client signs with its private key: see PrivateKeyJwt of openid-client.'
  )
  cli(['client', 'add', 'pusher', '--name', 'Pusher', ...CALLBACK, '--require-par'])
  t.match(cli(['client', 'show', 'pusher', '--for', 'openid-client']).stdout, /^\/\/ This client must push .*buildAuthorizationUrlWithPAR\.$/m)
  t.match(cli(['client', 'show', 'pusher', '--for', 'oauth4webapi']).stdout, /^\/\/ This client must push .*pushedAuthorizationRequest\.$/m)
  cli(['client', 'add', 'prover', '--name', 'Prover', ...CALLBACK, '--require-dpop'])
  t.match(cli(['client', 'show', 'prover', '--for', 'openid-client']).stdout, /^\/\/ This client must send DPoP proofs .*client\.getDPoPHandle/m)
  t.match(cli(['client', 'show', 'prover', '--for', 'oauth4webapi']).stdout, /^\/\/ This client must send DPoP proofs .*oauth\.DPoP/m)
  t.match(cli(['client', 'show', 'prover', '--for', 'oidc-client-ts']).stdout, /loadUserInfo: false,[^]*store: new IndexedDbDPoPStore\(\)/)
  t.match(cli(['client', 'show', 'prover', '--for', 'react-oidc-context']).stdout, /^import { IndexedDbDPoPStore }[^]*store: new IndexedDbDPoPStore\(\)/)
  cli(['client', 'add', 'shop', '--name', 'Shop', ...CALLBACK, '--confidential'])
  t.match(cli(['client', 'show', 'shop', '--for', 'oidc-client-ts']), { code: 1, stdout: '', stderr: /it needs a public client/ })
  t.match(cli(['client', 'show', 'shop', '--for', 'unknown']), { code: 2, stderr: /Allowed choices are oidc-client-ts, .*, mod_auth_openidc\./ })
  t.match(cli(['client', 'show', 'shop', '--for', 'openid-client', '--json']), { code: 2, stderr: /cannot be used with/ })
})
