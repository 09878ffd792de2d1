import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import {
  isImplicit, readAuthorizationRequest, readClientId, readDestination, type AuthorizationRequest, type Destination, type Offer
} from '../../oauth/authorization-request.js'
import { message } from '../../languages/translator.js'
import { errors, OAuthError, technicalOf } from '../../oauth/errors.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { deprecationOf, isImplicitDeprecated } from '../../oauth/implicit.js'
import { parseParameters, type Parameters } from '../../oauth/parameters.js'
import type { Client } from '../../oauth/client.js'
import type { ResponseParameters, ResponseMode } from '../../response-modes/response-mode.js'
import { FORM_TOKEN_TTL, PUSHED_REQUEST_TTL } from '../../lifetimes.js'
import { describeDestination } from '../../oauth/describe-destination.js'
import type { ClientDocuments } from '../../registration/client-documents.js'
import { isUrl } from '../../registration/document-url.js'
import type { Clients } from '../../stores/clients/clients.js'
import type { Registrations } from '../../stores/clients/registrations.js'
import { REFERENCE_PREFIX, type PushedRequest, type PushedRequests } from '../../consent/pushed-request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authorization request as a query string, byte for byte. */
    rawQuery: string
    /** The trusted callback for the response. */
    destination: Destination | null
    /** Whether the request allows no page (`prompt=none`). */
    isSilent: boolean
    /** The valid request; set before the handlers of the scope run. */
    authorization: AuthorizationRequest
    /** The pushed request; `null` if its parameters are in the query or the form. */
    pushed: PushedRequest | null
    /** Spends the request if it was pushed, since it permits only one decision. @throws OAuthError `spentForm` if it is spent */
    spendPushed: (now: Date) => Promise<void>
    /** Address that restarts the request; `null` if there is none. */
    startAgain: string | null
  }
  interface FastifyReply {
    /** Sends a response to the callback: by 303 for a success or after a form (RFC 9700 §4.12), by 302, or by a page that posts it. */
    toCallback: (destination: Destination, answer: ResponseParameters) => FastifyReply | Promise<FastifyReply>
    /** Shows an error, with a button that leads to the callback: that of a self-registered client is unverified (RFC 9700 §4.11.2). */
    askBeforeCallback: (destination: Destination, error: OAuthError) => Promise<FastifyReply>
  }
}

/** Maximum length of a URL, in characters. */
const MAX_URL = 8000
const FORM = 'application/x-www-form-urlencoded'

/** Script of the page that posts a response to the callback. */
const SUBMIT = 'document.forms[0].submit()'

interface Options {
  clients: Clients
  registrations: Pick<Registrations, 'isAllowed'>
  /** Clients whose client_id is a URL. */
  documents: ClientDocuments
  offer: Offer
  responseModes: readonly ResponseMode[]
  pushedRequests: PushedRequests
  issuer: string
  source: 'query' | 'body'
}

/**
 * Validates the authorization request in the query or form of every route in its scope, before anything else. Once the callback is
 * trusted, sends errors there (RFC 6749 §4.1.2.1, §4.2.2.1).
 */
export default fp<Options>(async function validateRequest (
  fastify,
  { clients, registrations, documents, offer, responseModes, pushedRequests, issuer, source }
) {
  const guide = `${issuer}/leave-implicit`
  fastify.decorateRequest('rawQuery', '')
  fastify.decorateRequest('destination', null)
  fastify.decorateRequest('pushed', null)
  fastify.decorateRequest('isSilent', false)
  fastify.decorateRequest('spendPushed', async function spendPushed (this: FastifyRequest, now: Date) {
    if (this.pushed === null || await pushedRequests.spend(this.pushed, now)) return
    throw errors.spentForm('the pushed request is spent')
  })
  const deliver = ({ redirectUri, responseMode, state }: Destination, answer: ResponseParameters) => {
    // as: response types name modes of this list.
    const mode = responseModes.find(({ name }) => name === responseMode) as ResponseMode
    return mode.deliver(redirectUri, { ...answer, state, iss: issuer })
  }
  fastify.decorateReply('toCallback', function toCallback (this: FastifyReply, destination: Destination, answer: ResponseParameters) {
    const delivery = deliver(destination, answer)
    if ('location' in delivery) {
      return this.code(this.request.method === 'POST' || !('error' in answer) ? 303 : 302)
        .headers({ location: delivery.location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .send()
    }
    const page = { title: message('leave.back'), destination: describeDestination(delivery.action), ...delivery }
    return this.page('form-post', page, { leadsOutside: true, script: SUBMIT })
  })
  fastify.decorateReply('askBeforeCallback', async function askBeforeCallback (this: FastifyReply, destination: Destination, error: OAuthError) {
    const delivery = deliver(destination, errorParameters(error))
    return await this.code(error.statusCode).page('leave', {
      title: message(error.title),
      technical: technicalOf(error),
      clientName: destination.client.name,
      destination: describeDestination(destination.redirectUri),
      requestId: this.request.id,
      delivery
    }, { leadsOutside: true })
  })

  const receive = (request: FastifyRequest, reply: FastifyReply, text: string, done: (error?: Error) => void) => {
    const sent = parseParameters(text)
    const clientId = readClientId(sent)
    const client = isUrl(clientId) ? documents.find(clientId, request.ip) : clients.find(clientId)
    const accept = (client: Client | null, parameters: Parameters) => {
      request.rawQuery = text
      request.uiLocales = parameters.ui_locales
      request.isSilent = /^ *none *$/.test(String(parameters.prompt))
      request.destination = readDestination(parameters, client, offer)
      if (isImplicit(parameters, offer) && isImplicitDeprecated(request.destination.client)) {
        reply.headers(deprecationOf(request.destination.client, guide))
      }
      const { destination, pushed } = request
      const arrival = { now: fastify.clock.now(), isPushed: pushed !== null }
      request.authorization = readAuthorizationRequest(parameters, destination, offer, arrival)
      if (pushed === null) request.startAgain = `${issuer}/authorize?${text}`
    }
    const reference = sent.request_uri
    const isPushed = typeof reference === 'string' && reference.startsWith(REFERENCE_PREFIX)
    // A promise costs more than the rest: only a cache miss or a pushed request needs one.
    if (client instanceof Promise || isPushed) {
      const read = async () => { accept(await client, isPushed ? await openPushed(request, reference, clientId) : sent) }
      read().then(() => done(), done)
      return
    }
    accept(client, sent)
    done()
  }

  /** The parameters of a pushed request. Those of the URL have no effect (RFC 9126 §4, RFC 9101 §5). */
  async function openPushed (request: FastifyRequest, reference: string, clientId: string): Promise<Parameters> {
    // The page of a request that was opened in time can be used as long as any other.
    const maxAge = source === 'query' && request.method === 'POST' ? FORM_TOKEN_TTL : PUSHED_REQUEST_TTL
    request.pushed = await pushedRequests.open(reference, maxAge, fastify.clock.now())
    if (request.pushed?.clientId !== clientId) {
      throw errors.endedPushedRequest('the reference has expired, or is for another server or client')
    }
    return parseParameters(request.pushed.query)
  }

  /**
   * Whether errors are sent to the callback without asking. Those of a self-registered client are not (RFC 9700 §4.11.2), unless it
   * checks with `prompt=none` whether a user is signed in, and a user has allowed it before.
   */
  async function mayRedirect ({ isSilent }: FastifyRequest, client: Client): Promise<boolean> {
    return !isSelfRegistered(client) || (isSilent && await registrations.isAllowed(client.id))
  }

  if (source === 'query') {
    fastify.addHook('onRequest', (request, reply, done) => {
      assertLength(request.url)
      receive(request, reply, queryOf(request.url), done)
    })
  } else {
    fastify.removeContentTypeParser(FORM)
    fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (request, body, done) => done(null, body))
    fastify.addHook('preValidation', (request, reply, done) => {
      // as: the parser above. Unlike a query, a form can contain a bare #.
      const text = (request.body as string | undefined ?? '').replaceAll('#', '%23')
      assertLength(text)
      receive(request, reply, text, done)
    })
  }

  fastify.setErrorHandler(async (error, request, reply) => {
    const { destination } = request
    if (!(error instanceof OAuthError) || error.recipient === 'user' || destination === null) throw error
    request.noteRefusal(error, destination.client.id)
    if (!await mayRedirect(request, destination.client)) return await reply.askBeforeCallback(destination, error)
    return await reply.toCallback(destination, errorParameters(error))
  })
}, { name: 'validate-request', fastify: '5.x', dependencies: ['clock', 'errors'] })

function assertLength ({ length }: string): void {
  if (length > MAX_URL) throw errors.uriTooLong(`${length} characters`)
}

function errorParameters ({ error, description }: OAuthError): ResponseParameters {
  return { error, error_description: description }
}
