import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import t from 'tap'
// What it adds to Fastify's types.
import type {} from '../src/plugins/clock.js'
import type { NewClient } from '../src/stores/clients/client-row.js'
import { decide, DEVICE_CODE } from './support/device-flow.js'
import { Browser, CALLBACK } from './support/helper.js'
import { SECRET, serve } from './support/relying-party.js'

const PROFILE = { name: 'Ann Example', givenName: 'Ann', familyName: 'Example', email: 'ann@example.com', emailVerified: true, locale: 'de-CH' }
const scope = 'openid profile email offline_access'

for (const [idTokenSignedResponseAlg, tokenEndpointAuthMethod] of [
  ['RS256', 'none'], ['ES256', 'client_secret_basic'], ['EdDSA', 'client_secret_post'], ['Ed25519', 'client_secret_post']
] as const) {
  const changes: Partial<NewClient> = { idTokenSignedResponseAlg, tokenEndpointAuthMethod }

  t.test(`openid-client needs nothing but the issuer: ID token (${idTokenSignedResponseAlg}), refresh, userinfo`, async t => {
    const { issuer, allow, stores } = await serve(t, changes)
    await stores.profiles.change('ann', PROFILE)
    const ann = (await stores.users.find('ann'))!
    const authentication = {
      none: openid.None(), client_secret_basic: openid.ClientSecretBasic(SECRET), client_secret_post: openid.ClientSecretPost(SECRET)
    }
    const metadata = { id_token_signed_response_alg: idTokenSignedResponseAlg }
    const config = await openid.discovery(issuer, 'app', metadata, authentication[tokenEndpointAuthMethod], {
      execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
    })
    const [pkceCodeVerifier, expectedState, expectedNonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
    const answer = await allow(openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope,
      state: expectedState,
      nonce: expectedNonce,
      max_age: '600',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256'
    }))
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 600, idTokenExpected: true }
    const tokens = await openid.authorizationCodeGrant(config, answer, checks)
    t.equal(tokens.claims()?.sub, ann.id)
    t.equal(tokens.scope, scope)
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    t.equal(next.claims()?.sub, ann.id)
    t.match(await openid.fetchUserInfo(config, next.access_token, ann.id), {
      name: 'Ann Example', given_name: 'Ann', family_name: 'Example', preferred_username: 'ann', locale: 'de-CH', email: 'ann@example.com', email_verified: true
    })
    await t.rejects(openid.fetchUserInfo(config, next.access_token, 'another person'), { message: 'unexpected JSON attribute value encountered' })
  })
}

t.test('openid-client signs in by response_type=id_token, as apps do that need no access', async t => {
  const { issuer, allow, stores } = await serve(t, { implicit: 'allowed' })
  const config = await openid.discovery(issuer, 'app', undefined, openid.None(), {
    execute: [openid.allowInsecureRequests, openid.useIdTokenResponseType]
  })
  const nonce = openid.randomNonce()
  const answer = await allow(openid.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', nonce }))
  const claims = await openid.implicitAuthentication(config, answer, nonce)
  t.equal(claims.sub, (await stores.users.find('ann'))!.id)
  await t.rejects(openid.implicitAuthentication(config, answer, 'another nonce'), { message: 'unexpected JWT claim value encountered' })
})

t.test('oauth4webapi, which checks every answer strictly, accepts them all', async t => {
  const { issuer, allow } = await serve(t, { tokenEndpointAuthMethod: 'client_secret_basic' })
  const insecure = { [oauth.allowInsecureRequests]: true }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure }))
  const client = { client_id: 'app', require_auth_time: true, default_max_age: 600 }
  const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: CALLBACK,
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256'
  })
  const answer = oauth.validateAuthResponse(server, client, await allow(new URL(`${server.authorization_endpoint}?${query}`)), state)
  const authentication = oauth.ClientSecretBasic(SECRET)
  const exchanged = await oauth.authorizationCodeGrantRequest(server, client, authentication, answer, CALLBACK, verifier, insecure)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, { expectedNonce: nonce, requireIdToken: true })
  await oauth.validateApplicationLevelSignature(server, exchanged, insecure)
  const { sub } = oauth.getValidatedIdTokenClaims(tokens)!
  const asked = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
  t.match(await oauth.processUserInfoResponse(server, client, sub, asked), { sub, preferred_username: 'ann' })
  const refreshed = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token!, insecure)
  const next = await oauth.processRefreshTokenResponse(server, client, refreshed)
  t.equal(oauth.getValidatedIdTokenClaims(next)?.sub, sub)
})

t.test('openid-client and oauth4webapi push their requests', async t => {
  const { issuer, allow, stores } = await serve(t, { tokenEndpointAuthMethod: 'client_secret_basic', requirePushedAuthorizationRequests: true })
  const { id } = (await stores.users.find('ann'))!
  const config = await openid.discovery(issuer, 'app', undefined, openid.ClientSecretBasic(SECRET), { execute: [openid.allowInsecureRequests] })
  const verifier = openid.randomPKCECodeVerifier()
  const request = {
    redirect_uri: CALLBACK, scope: 'openid', code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
  }
  const url = await openid.buildAuthorizationUrlWithPAR(config, request)
  t.same([...url.searchParams.keys()].sort(), ['client_id', 'request_uri'])
  const tokens = await openid.authorizationCodeGrant(config, await allow(url), { pkceCodeVerifier: verifier })
  t.equal(tokens.claims()?.sub, id)

  const insecure = { [oauth.allowInsecureRequests]: true }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  const client = { client_id: 'app' }
  const parameters = { ...request, client_id: 'app', response_type: 'code' }
  const pushed = await oauth.pushedAuthorizationRequest(server, client, oauth.ClientSecretBasic(SECRET), parameters, insecure)
  const { request_uri: reference } = await oauth.processPushedAuthorizationResponse(server, client, pushed)
  const answer = await allow(new URL(`${server.authorization_endpoint}?${new URLSearchParams({ client_id: 'app', request_uri: reference })}`))
  t.ok(oauth.validateAuthResponse(server, client, answer).get('code'))
})

/** Status and code of the error that a library throws. */
const errorOf = async (work: Promise<unknown>) =>
  await work.then(() => undefined, (error: oauth.ResponseBodyError) => `${error.status} ${error.error}`)

t.test('openid-client connects a device: it polls until Ann has allowed the code', async t => {
  const { app, issuer, stores } = await serve(t, { grantTypes: [DEVICE_CODE, 'refresh_token'], callbacks: [] })
  const config = await openid.discovery(issuer, 'app', undefined, openid.None(), { execute: [openid.allowInsecureRequests] })
  const codes = await openid.initiateDeviceAuthorization(config, { scope: 'openid email offline_access' })
  t.match(codes, { verification_uri: `${issuer.href}device`, expires_in: 600, interval: 5 })
  const polling = openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.3 })
  await decide(new Browser(app), codes.user_code, 'allow')
  const ann = (await stores.users.find('ann'))!
  const tokens = await polling
  t.equal(tokens.claims()?.sub, ann.id)
  t.match(await openid.fetchUserInfo(config, tokens.access_token, ann.id), { sub: ann.id })
  t.equal((await openid.refreshTokenGrant(config, tokens.refresh_token!)).scope, 'openid email offline_access')
  const denied = await openid.initiateDeviceAuthorization(config, {})
  await decide(new Browser(app), denied.user_code, 'deny')
  t.equal(await errorOf(openid.pollDeviceAuthorizationGrant(config, { ...denied, interval: 0.05 })), '400 access_denied')
})

t.test('oauth4webapi takes every answer of the device grant, and tells the errors apart', async t => {
  const { app, issuer } = await serve(t, { grantTypes: [DEVICE_CODE], tokenEndpointAuthMethod: 'client_secret_basic' })
  const insecure = { [oauth.allowInsecureRequests]: true }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))
  const [client, secret] = [{ client_id: 'app' }, oauth.ClientSecretBasic(SECRET)]
  const asked = await oauth.deviceAuthorizationRequest(server, client, secret, { scope: 'openid' }, insecure)
  const codes = await oauth.processDeviceAuthorizationResponse(server, client, asked)
  const poll = async () => await oauth.processDeviceCodeResponse(
    server, client, await oauth.deviceCodeGrantRequest(server, client, secret, codes.device_code, insecure)
  )
  // However long a poll takes, the next one comes too early.
  const { clock } = app
  const now = clock.now()
  t.intercept(app, 'clock', { value: { ...clock, now: () => now } })
  t.equal(await errorOf(poll()), '400 authorization_pending')
  t.equal(await errorOf(poll()), '400 slow_down')
  await decide(new Browser(app), codes.user_code, 'allow')
  t.match(await poll(), { token_type: 'bearer', scope: 'openid', id_token: String })
  t.equal(await errorOf(poll()), '400 invalid_grant')
})
