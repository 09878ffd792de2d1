import { createLocalJWKSet, jwtVerify, type JWTPayload } from 'jose'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import type { NewClient } from '../../../src/stores/clients/client-row.js'
import { form, post } from '../code-flow.js'
import { Browser, build, CALLBACK, client, formTokenOf } from '../helper.js'

/** A response type and a response mode, as the plans vary them; no mode: the default of the type. */
export interface Variant { readonly type: 'code' | 'id_token' | 'id_token token', readonly mode?: 'form_post' }

/** The secret of the client. */
export const SECRET = 'a-secret-of-the-conformance-client'

/** The authorization response, and what it led to. */
export interface SignedIn {
  readonly answer: Record<string, string>
  /** The token response; empty without a code. */
  readonly tokens: Record<string, string>
  readonly accessToken: string | undefined
  readonly idToken: string
  /** Of the verified ID token. */
  readonly claims: JWTPayload
}

/** Changes of a request. */
export type Changes = Record<string, string | undefined>

/**
 * A server with a client as the suite registers it: confidential, without PKCE; and Ann, of whom everything is known.
 */
export async function prepare (t: Test, { type, mode }: Variant = { type: 'code' }, changes: Partial<NewClient> = {}, env: Record<string, string> = {}) {
  const { app, stores } = await build(t, env)
  await stores.clients.put(client({
    implicit: 'allowed',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    pkce: 'optional',
    postLogoutRedirectUris: [AFTER],
    ...changes
  }))
  await stores.clientSecrets.add({ clientId: 'app', hash: hashOpaqueToken(SECRET), createdAt: new Date() })
  await stores.profiles.change('ann', {
    name: 'Ann Example', givenName: 'Ann', familyName: 'Example', email: 'ann@example.com', emailVerified: true, locale: 'en-GB'
  })
  const search = (changes: Changes = {}) => form({
    response_type: type, response_mode: mode, client_id: 'app', redirect_uri: CALLBACK, scope: 'openid', state: 's', nonce: 'n', ...changes
  })

  /** Opens a request, signs in if there is no session, and allows it. Gives where the browser is sent. */
  async function authorize (browser: Browser, changes: Changes = {}, method: 'GET' | 'POST' = 'GET') {
    const request = search(changes)
    const first = method === 'GET' ? await browser.get(`/authorize?${request}`) : await browser.post('/authorize', request)
    const place = new URL(String(first.headers.location), 'https://id.example')
    if (place.pathname !== '/consent') return first
    const page = await browser.get(`/consent${place.search}`)
    if (page.statusCode !== 200 || formTokenOf(page) === '') return page
    const credentials = page.body.includes('name="password"') ? { username: 'ann', password: 'correct horse' } : {}
    return await browser.post(`/consent${place.search}`, { transaction: formTokenOf(page), decision: 'allow', ...credentials })
  }

  async function exchange (code: string, changes: Changes = {}) {
    const fields: Changes = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...changes }
    const basic = { authorization: `Basic ${Buffer.from(`app:${SECRET}`).toString('base64')}` }
    return await post(app, '/token', form(fields), fields.client_secret === undefined ? basic : {})
  }

  /** Signs in, and verifies the ID token as OpenID Connect Core §3.1.3.7 and §3.2.2.11 ask for. */
  async function signIn (browser = new Browser(app), changes: Changes = {}, method: 'GET' | 'POST' = 'GET'): Promise<SignedIn> {
    const answer = answerOf(await authorize(browser, changes, method))
    const tokens: Record<string, string> = answer.code === undefined ? {} : (await exchange(answer.code)).json()
    const idToken = answer.id_token ?? tokens.id_token ?? ''
    const jwks = createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json())
    const { payload } = await jwtVerify(idToken, jwks, { issuer: 'https://id.example', audience: 'app', algorithms: ['RS256'] })
    return { answer, tokens, accessToken: answer.access_token ?? tokens.access_token, idToken, claims: payload }
  }

  const userinfo = async (accessToken: string | undefined) =>
    await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${accessToken}` } })
  return { app, stores, search, authorize, exchange, signIn, userinfo, open: () => new Browser(app) }
}

/** Where the browser goes after sign-out. */
export const AFTER = 'https://app.example/signed-out'

/** The authorization response, wherever it is: the query, the fragment or a form. */
export function answerOf ({ headers: { location }, body }: LightMyRequestResponse): Record<string, string> {
  if (location === undefined) {
    return Object.fromEntries([...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]))
  }
  const { search, hash } = new URL(String(location))
  return Object.fromEntries(new URLSearchParams(hash.slice(1) || search))
}
