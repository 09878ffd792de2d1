import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { codeQuery } from './code-flow.js'
import { Browser, build, formTokenOf, type Built } from './helper.js'
import { SECRET, serve } from './relying-party.js'

/** The settings of a server whose upstream provider is at an issuer. */
export const upstreamEnv = (issuer: string, env: Record<string, string> = {}) => ({
  UPSTREAM_ISSUER: issuer,
  UPSTREAM_NAME: 'Example',
  UPSTREAM_CLIENT_ID: 'app',
  UPSTREAM_CLIENT_SECRET: SECRET,
  ALLOW_PRIVATE_NETWORKS: 'true',
  ...env
})

/** A server, and its upstream provider: another instance that listens. Both have the user ann. */
export interface Pair extends Built {
  readonly upstream: Awaited<ReturnType<typeof serve>>
  /** Signs in at the provider, in a browser there; returns the callback with the response. */
  readonly answerOf: (location: string, browser?: Browser) => Promise<string>
}

/** Starts both. */
export async function startPair (t: Test, env: Record<string, string> = {}): Promise<Pair> {
  const upstream = await serve(t, { tokenEndpointAuthMethod: 'client_secret_basic', callbacks: ['https://id.example/upstream/callback'] })
  const built = await build(t, upstreamEnv(upstream.issuer.href.replace(/\/$/, ''), env))
  return {
    ...built,
    upstream,
    async answerOf (location, browser = new Browser(upstream.app)) {
      const { search } = new URL(location)
      const response = await browser.allow(search.slice(1))
      return toPath(String(response.headers.location))
    }
  }
}

/** A request of the client `app` for the code flow. */
export const REQUEST = codeQuery({ redirect_uri: 'https://app.example/cb' })

/** Presses the button on the sign-in page of a request, or on the account page; returns the response. */
export async function pressUpstream (browser: Browser, page = `/consent?${REQUEST}`): Promise<LightMyRequestResponse> {
  const transaction = formTokenOf(await browser.get(page))
  return await browser.post(page, { transaction, decision: 'upstream' })
}

/** Presses the button, signs in at the provider, and opens its response. */
export async function signInUpstream (
  { answerOf }: Pick<Pair, 'answerOf'>, browser: Browser, page?: string, there?: Browser
): Promise<LightMyRequestResponse> {
  const { headers } = await pressUpstream(browser, page)
  return await browser.get(await answerOf(String(headers.location), there))
}

/** Signs in at the account page with the password, and connects the account at the provider. */
export async function connectUpstream ({ answerOf }: Pick<Pair, 'answerOf'>, browser: Browser, there?: Browser): Promise<LightMyRequestResponse> {
  const signIn = formTokenOf(await browser.get('/account'))
  await browser.post('/account', { transaction: signIn, decision: 'sign-in', username: 'ann', password: 'correct horse' })
  const transaction = formTokenOf(await browser.get('/account/upstream'))
  const { headers } = await browser.post('/account/upstream', { transaction, decision: 'connect', password: 'correct horse' })
  return await browser.get(await answerOf(String(headers.location), there))
}

/** The part of an address that a browser sends. */
export function toPath (address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
