import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
// What it adds to Fastify's types.
import type {} from '../../../src/plugins/back-channel-logout.js'
import { logoutSent } from '../../../src/telemetry/events.js'

/** An app that receives logout tokens: its address, and those that it got, in order. */
export interface Receiver { readonly uri: string, readonly tokens: string[] }

/** Starts an app. @param answer default: 204 */
export async function receive (t: Test, answer = (response: ServerResponse) => { response.writeHead(204).end() }): Promise<Receiver> {
  const tokens: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => { body += String(chunk) }).on('end', () => {
      t.same([request.method, request.headers['content-type']], ['POST', 'application/x-www-form-urlencoded'])
      tokens.push(new URLSearchParams(body).get('logout_token') ?? '')
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  // as: a server that listens on a port has such an address.
  return { uri: `http://127.0.0.1:${(server.address() as { port: number }).port}/logout`, tokens }
}

/** Sends what is due; resolves once `count` logout tokens were sent, to their outcomes in alphabetical order. */
export async function send (app: FastifyInstance, count: number): Promise<string[]> {
  const outcomes: string[] = []
  const sent = count === 0
    ? undefined
    : new Promise<void>(resolve => {
      const unsubscribe = logoutSent.subscribe(({ outcome }) => {
        if (outcomes.push(outcome) < count) return
        unsubscribe()
        resolve()
      })
    })
  await app.logoutSender.run()
  await sent
  return outcomes.sort()
}

/** Verifies a logout token as OpenID Connect Back-Channel Logout §2.6 asks for. */
export async function verify (app: FastifyInstance, token: string, audience = 'app'): Promise<JWTPayload> {
  const keys = createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json<JSONWebKeySet>())
  const { payload } = await jwtVerify(token, keys, {
    issuer: 'https://id.example', audience, typ: 'logout+jwt', requiredClaims: ['iat', 'exp', 'jti', 'events'], maxTokenAge: 120
  })
  return payload
}
