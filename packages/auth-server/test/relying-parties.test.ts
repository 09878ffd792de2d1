import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { AuthorizationCode } from 'simple-oauth2'
import t from 'tap'
import type { NewClient } from '../src/stores/clients/client-row.js'
import { CALLBACK } from './support/helper.js'
import { SECRET, serve } from './support/relying-party.js'

const signing = await generateKeyPair('ES256')
const ways: Array<[method: string, changes: Partial<NewClient>, openid: openid.ClientAuth, oauth: oauth.ClientAuth]> = [
  ['client_secret_basic', {}, openid.ClientSecretBasic(SECRET), oauth.ClientSecretBasic(SECRET)],
  ['client_secret_post', {}, openid.ClientSecretPost(SECRET), oauth.ClientSecretPost(SECRET)],
  [
    'private_key_jwt',
    { jwks: JSON.stringify({ keys: [await exportJWK(signing.publicKey)] }) },
    openid.PrivateKeyJwt(signing.privateKey),
    oauth.PrivateKeyJwt(signing.privateKey)
  ]
]

for (const [tokenEndpointAuthMethod, changes, clientAuth] of ways) {
  t.test(`openid-client signs in, refreshes, introspects and revokes with ${tokenEndpointAuthMethod}`, async t => {
    const { issuer, allow } = await serve(t, { tokenEndpointAuthMethod, ...changes })
    const config = await openid.discovery(issuer, 'app', undefined, clientAuth, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests]
    })
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()]
    const answer = await allow(openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'customer:read',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256'
    }))
    const tokens = await openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState })
    t.match(tokens, { token_type: 'bearer', scope: 'customer:read' })
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    t.match(await openid.tokenIntrospection(config, next.access_token), { active: true, client_id: 'app', scope: 'customer:read' })
    await openid.tokenRevocation(config, next.refresh_token!)
    t.match(await openid.tokenIntrospection(config, next.access_token), { active: false })
    await t.rejects(openid.refreshTokenGrant(config, next.refresh_token!), { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant' })
    await t.rejects(openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState }), {
      code: 'OAUTH_RESPONSE_BODY_ERROR',
      error: 'invalid_grant'
    })
    t.match(await openid.clientCredentialsGrant(config), { token_type: 'bearer', scope: 'customer:read' })
  })
}

for (const [tokenEndpointAuthMethod, changes, , clientAuth] of ways) {
  t.test(`oauth4webapi does the same with ${tokenEndpointAuthMethod}, and accepts every answer`, async t => {
    const { issuer, allow } = await serve(t, { tokenEndpointAuthMethod, ...changes })
    const insecure = { [oauth.allowInsecureRequests]: true }
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))
    const client = { client_id: 'app' }
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const query = new URLSearchParams({
      response_type: 'code',
      ...client,
      redirect_uri: CALLBACK,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256'
    })
    const answer = oauth.validateAuthResponse(server, client, await allow(new URL(`${server.authorization_endpoint}?${query}`)), state)
    const exchanged = await oauth.authorizationCodeGrantRequest(server, client, clientAuth, answer, CALLBACK, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged)
    const next = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, clientAuth, tokens.refresh_token!, insecure)
    )
    const ask = async () =>
      await oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, clientAuth, next.access_token, insecure)
      )
    t.match(await ask(), { active: true, client_id: 'app' })
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, clientAuth, next.refresh_token!, insecure))
    t.match(await ask(), { active: false })
    t.match(
      await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, clientAuth, {}, insecure)
      ),
      { token_type: 'bearer' }
    )
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    t.match(await oauth.validateJwtAccessToken(server, new Request('https://api.example', { headers }), 'https://api.example', insecure), {
      client_id: 'app',
      gty: 'authorization_code'
    })
  })
}

t.test('simple-oauth2, and with it @fastify/oauth2, revokes both tokens: it takes nothing but JSON', async t => {
  const { issuer, allow } = await serve(t, { tokenEndpointAuthMethod: 'client_secret_post' })
  const client = new AuthorizationCode({
    client: { id: 'app', secret: SECRET },
    auth: { tokenHost: issuer.origin, tokenPath: '/token', revokePath: '/revoke', authorizePath: '/authorize' }
  })
  const [verifier, challenge] = ['v'.repeat(43), await openid.calculatePKCECodeChallenge('v'.repeat(43))]
  // as: its types lack what it passes on.
  const address = client.authorizeURL({
    redirect_uri: CALLBACK,
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256'
  } as Parameters<typeof client.authorizeURL>[0])
  const code = (await allow(new URL(address))).searchParams.get('code') ?? ''
  const first = await client.getToken({ code, redirect_uri: CALLBACK, code_verifier: verifier } as Parameters<typeof client.getToken>[0])
  const next = await first.refresh()
  await next.revokeAll()
  await t.rejects(next.refresh())
})

t.test('a public client does it without a secret', async t => {
  const { issuer, allow } = await serve(t, {})
  const config = await openid.discovery(issuer, 'app', undefined, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests]
  })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const answer = await allow(
    openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256'
    })
  )
  const tokens = await openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier })
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
  await openid.tokenRevocation(config, next.refresh_token!)
  await t.rejects(openid.refreshTokenGrant(config, next.refresh_token!), { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant' })
  await t.rejects(openid.clientCredentialsGrant(config), { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'unauthorized_client' })
})
