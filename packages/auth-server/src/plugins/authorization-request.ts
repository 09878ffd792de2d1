import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { readAuthorizationRequest, readClientId, readDestination, type AuthorizationRequest, type Destination, type Offer } from '../oauth/authorization-request.js'
import { OAuthError, oauthError } from '../oauth/errors.js'
import { withFragment } from '../oauth/fragment.js'
import { parseParameters } from '../oauth/parameters.js'
import type { Client } from '../oauth/client.js'
import type { Clients } from '../stores/clients.js'
import { requestRefused } from '../telemetry/events.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The query string, byte for byte. */
    readonly rawQuery: string
    /** Where the answer goes, once that is trusted. */
    destination: Destination | null
    /** The valid request; set before any handler of the scope runs. */
    authorization: AuthorizationRequest
    /** Where the same request begins anew; `null` where there is none. */
    startAgain: string | null
  }
  interface FastifyReply {
    /** Sends an answer to the callback: 303 after a form (RFC 9700 §4.12), else 302. */
    toCallback: (destination: Destination, answer: Record<string, string | number>) => FastifyReply
  }
}

/** Longest address that is looked at, in characters. */
const MAX_URL = 8000

/**
 * For the routes of its scope, whose query string is the authorization request: validates it before anything else, and
 * sends errors that are the client's to the callback once that is trusted (RFC 6749 §4.2.2.1).
 */
export default fp<{ clients: Clients, offer: Offer, issuer: string }>(async function authorizationRequest (fastify, { clients, offer, issuer }) {
  fastify.decorateRequest('rawQuery', { getter (this: FastifyRequest) { return queryOf(this.url) } })
  fastify.decorateRequest('destination', null)
  fastify.decorateReply('toCallback', function toCallback (this: FastifyReply, destination: Destination, answer: Record<string, string | number>) {
    const location = withFragment(destination.redirectUri, { ...answer, state: destination.state, iss: issuer })
    return this.code(this.request.method === 'POST' ? 303 : 302)
      .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .send()
  })

  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url.length > MAX_URL) throw oauthError('uriTooLong', `${request.url.length} characters`)
    const parameters = parseParameters(request.rawQuery)
    const client = clients.find(readClientId(parameters))
    const accept = (client: Client | null) => {
      request.destination = readDestination(parameters, client)
      request.authorization = readAuthorizationRequest(parameters, request.destination, offer)
      request.startAgain = `${issuer}/authorize?${request.rawQuery}`
    }
    // A promise costs more than all of this: there is one only when the database is asked.
    if (client instanceof Promise) {
      client.then(accept).then(() => done(), done)
      return
    }
    accept(client)
    done()
  })

  fastify.setErrorHandler(async (error, request, reply) => {
    const { destination } = request
    if (!(error instanceof OAuthError) || error.tell === 'person' || destination === null) throw error
    request.log.info({ reason: error.message, client: destination.client.id, ...error.facts }, error.error)
    requestRefused.tell({ error: error.error })
    return reply.toCallback(destination, { error: error.error, error_description: error.description })
  })
}, { name: 'authorization-request', fastify: '5.x', dependencies: ['errors'] })

function queryOf (url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
