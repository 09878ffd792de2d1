import { makeDpopKey, signProof } from '@frontdesk/test-kit/dpop'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import t from 'tap'
import { decide, DEVICE_CODE } from './support/device-flow.js'
import { Browser, CALLBACK } from './support/helper.js'
import { SECRET, serve } from './support/relying-party.js'

const scope = 'openid profile'

for (const alg of ['ES256', 'Ed25519']) {
  t.test(`openid-client binds its tokens to a key (${alg}): pushed request, code, userinfo, refresh, device`, async t => {
    const changes = { dpopBoundAccessTokens: true, requirePushedAuthorizationRequests: true, grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE] }
    const { app, issuer, allow, stores } = await serve(t, changes)
    const ann = (await stores.users.find('ann'))!
    const config = await openid.discovery(issuer, 'app', undefined, openid.None(), { execute: [openid.allowInsecureRequests] })
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair(alg))
    const verifier = openid.randomPKCECodeVerifier()
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK, scope, code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
    }, { DPoP })
    const answer = await allow(url)
    const tokens = await openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier }, undefined, { DPoP })
    t.equal(tokens.token_type, 'dpop')
    t.same(decodeJwt(tokens.access_token).cnf, { jkt: await DPoP.calculateThumbprint() })
    t.match(await openid.fetchUserInfo(config, tokens.access_token, ann.id, { DPoP }), { preferred_username: 'ann' })
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP })
    t.match(await openid.fetchUserInfo(config, next.access_token, ann.id, { DPoP }), { sub: ann.id })
    const codes = await openid.initiateDeviceAuthorization(config, { scope })
    await decide(new Browser(app), codes.user_code, 'allow')
    const device = await openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.05 }, undefined, { DPoP })
    t.match(await openid.fetchUserInfo(config, device.access_token, ann.id, { DPoP }), { sub: ann.id })
  })
}

t.test('oauth4webapi learns the nonce from an error, then uses it; a browser may read it (CORS)', async t => {
  const { issuer, allow } = await serve(t, { tokenEndpointAuthMethod: 'client_secret_basic' })
  const insecure = { [oauth.allowInsecureRequests]: true }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  t.same(server.dpop_signing_alg_values_supported, ['ES256', 'EdDSA', 'Ed25519'])
  const client: oauth.Client = { client_id: 'app' }
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
  const [verifier, secret] = [oauth.generateRandomCodeVerifier(), oauth.ClientSecretBasic(SECRET)]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: CALLBACK,
    scope,
    dpop_jkt: await DPoP.calculateThumbprint(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256'
  })
  const answer = oauth.validateAuthResponse(server, client, await allow(new URL(`${server.authorization_endpoint}?${query}`)))
  const exchange = async () => await oauth.processAuthorizationCodeResponse(
    server, client, await oauth.authorizationCodeGrantRequest(server, client, secret, answer, CALLBACK, verifier, { DPoP, ...insecure })
  )
  t.ok(oauth.isDPoPNonceError(await exchange().catch((error: unknown) => error)))
  const { access_token: token } = await exchange()
  const asked = await oauth.userInfoRequest(server, client, token, { DPoP, ...insecure })
  t.match(await asked.clone().json(), { preferred_username: 'ann' })
  const preflight = await fetch(server.token_endpoint!, { method: 'OPTIONS', headers: { origin: new URL(CALLBACK).origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'DPoP' } })
  t.match(preflight.headers.get('access-control-allow-headers'), /\bDPoP\b/)
  t.match(preflight.headers.get('access-control-expose-headers'), /\bDPoP-Nonce\b/)
})

t.test('/userinfo takes a bound token only with a proof of its key for it, and a bearer token only as such (RFC 9449 §7)', async t => {
  const { app, stores, allow, issuer } = await serve(t, {})
  const key = await makeDpopKey()
  const ann = (await stores.users.find('ann'))!
  const url = `${issuer.origin}/userinfo`
  const ask = async (authorization: string, proof?: string, form?: string) => await app.inject({
    method: form === undefined ? 'GET' : 'POST',
    url: '/userinfo',
    headers: { authorization, ...(proof && { dpop: proof }), ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { payload: form })
  })
  const config = await openid.discovery(issuer, 'app', undefined, openid.None(), { execute: [openid.allowInsecureRequests] })
  const sign = async (options: openid.DPoPOptions) => {
    const verifier = openid.randomPKCECodeVerifier()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK, scope, code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
    })
    return (await openid.authorizationCodeGrant(config, await allow(url), { pkceCodeVerifier: verifier }, undefined, options)).access_token
  }
  const token = await sign({ DPoP: openid.getDPoPHandle(config, key) })
  const bearer = await sign({})
  const first = await ask(`DPoP ${token}`, await signProof(key, { method: 'GET', url, accessToken: token }))
  t.match([first.statusCode, first.json()], [401, { error: 'use_dpop_nonce' }])
  t.match(first.headers['www-authenticate'], /^DPoP realm="userinfo", error="use_dpop_nonce", .*algs="ES256 EdDSA Ed25519"$/)
  const nonce = String(first.headers['dpop-nonce'])
  const prove = async (changes = {}, by = key) => await signProof(by, { method: 'GET', url, accessToken: token, nonce, ...changes })
  const once = await prove()
  t.match((await ask(`DPoP ${token}`, once)).json(), { sub: ann.id })
  t.match((await ask(`dpop ${token}`, await prove({ method: 'POST' }), 'x=y')).json(), { sub: ann.id })
  const unproven: Array<[proof: string | undefined, sentence: string]> = [
    [once, 'The DPoP proof was used before. Make one for each request.'],
    [undefined, 'The request has no DPoP proof.'],
    [await prove({ accessToken: bearer }), 'The ath of the DPoP proof is not the hash of the access token.'],
    [await prove({ accessToken: undefined }), 'The ath of the DPoP proof is not the hash of the access token.'],
    [await prove({}, await makeDpopKey()), 'The key of the DPoP proof is not that of the access token.']
  ]
  for (const [proof, sentence] of unproven) {
    const answer = await ask(`DPoP ${token}`, proof)
    t.same(answer.json(), { error: 'invalid_dpop_proof', error_description: sentence })
    t.match(answer.headers['www-authenticate'], `DPoP realm="userinfo", error="invalid_dpop_proof", error_description="${sentence}"`)
  }
  const rows: Array<[name: string, authorization: string, proof: string | undefined, error: string, scheme: string, form?: string]> = [
    ['a bound token as a bearer token', `Bearer ${token}`, undefined, 'invalid_token', 'DPoP'],
    ['the same with a proof', `Bearer ${token}`, await prove(), 'invalid_token', 'DPoP'],
    ['a bound token in a form', '', undefined, 'invalid_token', 'DPoP', `access_token=${token}`],
    ['a bearer token with a proof', `DPoP ${bearer}`, await prove({ accessToken: bearer }), 'invalid_token', 'DPoP'],
    ['two tokens', `DPoP ${token}`, await prove(), 'invalid_request', 'Bearer', `access_token=${token}`]
  ]
  for (const [name, authorization, proof, error, scheme, form] of rows) {
    const answer = await ask(authorization, proof, form)
    t.equal(answer.json().error, error, name)
    t.ok(String(answer.headers['www-authenticate']).startsWith(`${scheme} realm="userinfo", error="${error}"`), name)
  }
  t.match((await ask(`Bearer ${bearer}`)).json(), { sub: ann.id })
})
