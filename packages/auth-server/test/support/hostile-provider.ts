import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { Browser, build } from './helper.js'
import { pressUpstream, upstreamEnv } from './upstream.js'

/** Codes begin with it; the nonce follows. */
const CODE = 'secret-code-'

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** How a provider misbehaves; without changes, it behaves well. */
export interface Misbehavior {
  readonly metadata?: (issuer: string) => object
  readonly claims?: Readonly<Record<string, unknown>>
  readonly sign?: (claims: JWTPayload) => Promise<string>
  readonly userinfo?: object
  /** Answers requests to a path. */
  readonly paths?: Readonly<Record<string, Handler>>
  /** Changes the query of the callback. */
  readonly callback?: (query: URLSearchParams) => void
}

const signing = await generateKeyPair('ES256', { extractable: true })
const key = { ...await exportJWK(signing.publicKey), kid: 'one', alg: 'ES256', use: 'sig' }

/** Signs an ID token as the provider. */
export async function sign (claims: JWTPayload): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(signing.privateKey)
}

/** An ID token without a signature. */
export async function unsigned (claims: JWTPayload): Promise<string> {
  return new UnsecuredJWT(claims).encode()
}

/** Starts an OpenID Provider that a test controls, and a server that has it upstream. */
export async function startHostile (t: Test, env: Record<string, string> = {}) {
  let misbehavior: Misbehavior = {}
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const answer = misbehavior.paths?.[path] ?? handlers[path]
    if (answer === undefined) response.writeHead(404).end()
    else Promise.resolve(answer(request, response)).catch(error => response.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = server.address() as AddressInfo // as: it listens on a port.
  const issuer = `http://127.0.0.1:${port}`
  const json = (response: ServerResponse, body: object) => { response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)) }
  const handlers: Record<string, Handler> = {
    '/.well-known/openid-configuration': (_, response) => json(response, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      ...misbehavior.metadata?.(issuer)
    }),
    '/jwks': (_, response) => json(response, { keys: [key] }),
    '/userinfo': (_, response) => json(response, { sub: 'zoe', ...misbehavior.userinfo }),
    async '/token' (request, response) {
      const code = new URLSearchParams(await text(request)).get('code') ?? ''
      const nonce = code.replace(CODE, '')
      const now = Math.floor(Date.now() / 1_000)
      const claims = { iss: issuer, aud: 'app', sub: 'zoe', iat: now, exp: now + 60, nonce, auth_time: now, ...misbehavior.claims } as JWTPayload
      json(response, { access_token: 'secret-access-token', token_type: 'Bearer', id_token: await (misbehavior.sign ?? sign)(claims) })
    }
  }
  const built = await build(t, upstreamEnv(issuer, env))

  /** Opens the sign-in page and presses the button. Returns the response of the provider, to open. */
  async function press (browser: Browser, page = '/account', change: Misbehavior['callback'] = () => {}) {
    const pressed = await pressUpstream(browser, page)
    const asked = new URL(String(pressed.headers.location)).searchParams
    const query = new URLSearchParams({ code: CODE + (asked.get('nonce') ?? ''), state: asked.get('state') ?? '', iss: issuer })
    change(query)
    return `/upstream/callback?${query}`
  }

  /** The same with a misbehavior, and opens the response; or returns the page that says that there is none. */
  async function attempt (changes: Misbehavior = {}) {
    misbehavior = changes
    const browser = new Browser(built.app)
    const pressed = await pressUpstream(browser, '/account')
    return pressed.statusCode === 303 ? await browser.get(await press(browser, '/account', changes.callback)) : pressed
  }
  return { ...built, issuer, requests, press, attempt }
}
