import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import t from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import { CALLBACK } from '../../support/helper.js'
import { serve } from '../../support/relying-party.js'

t.test('openid-client registers itself and signs in', async t => {
  const { issuer, allow } = await serve(t, {}, { REGISTRATION: 'open' })
  const metadata = { client_name: 'Notes', redirect_uris: [CALLBACK], grant_types: ['authorization_code', 'refresh_token'] }
  const config = await openid.dynamicClientRegistration(issuer, metadata, undefined, { execute: [openid.allowInsecureRequests] })
  t.match(config.clientMetadata(), { client_id: /^app-/, client_secret: /./, token_endpoint_auth_method: 'client_secret_basic' })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const answer = await allow(openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256'
  }))
  const tokens = await openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier, idTokenExpected: true })
  t.equal(tokens.claims()?.aud, config.clientMetadata().client_id)
  t.ok((await openid.refreshTokenGrant(config, tokens.refresh_token!)).access_token)
})

t.test('oauth4webapi registers itself with an initial access token', async t => {
  const { issuer, stores } = await serve(t, {}, { REGISTRATION: 'token' })
  const now = new Date()
  await stores.registrationTokens.add({
    id: '1',
    hash: hashOpaqueToken('a-token'),
    usesLeft: 1,
    grantTypes: ['authorization_code'],
    allowedScope: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 60_000)
  })
  const insecure = { [oauth.allowInsecureRequests]: true }
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
  const register = async (initialAccessToken?: string) => {
    const options = { ...insecure, ...(initialAccessToken !== undefined && { initialAccessToken }) }
    return await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(as, metadata, options))
  }
  t.match(await register('a-token'), { client_id: /^app-/, redirect_uris: [CALLBACK] })
  await t.rejects(register('a-token'), oauth.WWWAuthenticateChallengeError)
  await t.rejects(register(), oauth.WWWAuthenticateChallengeError)
})
