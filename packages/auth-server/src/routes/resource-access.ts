import { challenge, readAuthorization } from '@frontdesk/service-kit/access-token/authorization'
import type { AccessToken } from '@frontdesk/schemas/access-token'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Inspect } from '../grants/inspect.js'
import { OAuthError } from '../oauth/errors.js'
import type { Proofs } from '../tokens/proofs.js'
import { createProvenKey } from './proven-key.js'

/** Errors of a resource (RFC 6750 §3.1, RFC 9449 §7.1, RFC 9470 §3). */
const ERRORS = {
  missing: { statusCode: 401, error: 'invalid_token', description: 'The request needs an access token.' },
  invalid: { statusCode: 401, error: 'invalid_token', description: 'The access token is invalid, expired or revoked, or for another audience.' },
  malformed: { statusCode: 400, error: 'invalid_request', description: 'The request needs one access token, in one place.' },
  unproven: { statusCode: 401, error: 'invalid_dpop_proof', description: 'The DPoP proof is not valid.' },
  nonceMissing: { statusCode: 401, error: 'use_dpop_nonce', description: 'The DPoP proof needs the nonce in the header DPoP-Nonce.' },
  insufficient: { statusCode: 403, error: 'insufficient_scope', description: 'The access token is missing the scope' },
  signInInsufficient: { statusCode: 401, error: 'insufficient_user_authentication', description: 'This requires a stronger or more recent sign-in.' }
} as const

/** What else a challenge names. */
interface Parameters { readonly scope?: string, readonly acr_values?: string, readonly max_age?: string }

/** Why an access token gives no access to a resource, with the challenge (RFC 6750 §3). */
export class AccessError extends Error {
  readonly kind: keyof typeof ERRORS
  readonly statusCode: number
  readonly error: string
  readonly #scheme: 'Bearer' | 'DPoP'
  readonly #parameters: Parameters

  /** @param parameters of the challenge */
  constructor (
    kind: keyof typeof ERRORS,
    isProven = false,
    { description = ERRORS[kind].description, ...parameters }: Parameters & { readonly description?: string } = {}
  ) {
    super(kind === 'insufficient' ? `${description} ${parameters.scope}.` : description)
    this.kind = kind
    this.statusCode = ERRORS[kind].statusCode
    this.error = ERRORS[kind].error
    this.#scheme = isProven ? 'DPoP' : 'Bearer'
    this.#parameters = parameters
  }

  challenge (realm: string): string {
    // RFC 6750 §3.1: a request without a token gets no error code there.
    const reason = this.kind === 'missing' ? {} : { error: this.error, error_description: this.message, ...this.#parameters }
    return challenge(this.#scheme, { realm, ...reason })
  }
}

/** Makes the function that sends an {@link AccessError} with its challenge. It throws other errors. */
export function refuseAccess (reply: FastifyReply, realm: string): (error: unknown) => FastifyReply {
  return error => {
    if (!(error instanceof AccessError)) throw error
    return reply.code(error.statusCode).header('www-authenticate', error.challenge(realm))
      .send({ error: error.error, error_description: error.message })
  }
}

/** The body of an error. */
export const ResourceError = Type.Object(
  { error: Type.String(), error_description: Type.String() },
  { description: 'An error (RFC 6750 §3.1).' }
)

/** The live access token of a request, and whether it is bound to a key. */
export interface Access { readonly access: AccessToken, readonly isProven: boolean }

interface Parts {
  readonly inspect: Inspect
  readonly proofs: Proofs
  /** The resource. Others must not be able to use the tokens that they receive. */
  readonly audience: string
  /** Address of the endpoint, as DPoP proofs name it. */
  readonly url: string | ((request: FastifyRequest) => string)
}

/**
 * Makes the check of a request's access token. If the token is bound to a key, the request must prove the key (RFC 9449 §7.1, §7.2).
 * It throws {@link AccessError}.
 */
export function createReadAccess ({ inspect, proofs, audience, url }: Parts): (reply: FastifyReply) => Promise<Access> {
  const provenKey = createProvenKey(proofs, url)
  return async reply => {
    const { request, server } = reply
    const { token, isProven } = readToken(request)
    const now = server.clock.now()
    const live = await inspect(token, now)
    if (live === null || !('access' in live) || live.access.aud !== audience) throw new AccessError('invalid', isProven)
    const { access, access: { cnf } } = live
    if (isProven !== (cnf !== undefined)) throw new AccessError('invalid', true)
    if (cnf !== undefined) {
      reply.header('dpop-nonce', proofs.nonce(now))
      const proven = await provenKey(reply, token).catch(error => { throw toAccessError(error, request) })
      if (proven === undefined) throw new AccessError('unproven', true, { description: 'The request has no DPoP proof.' })
      if (proven !== cnf.jkt) {
        throw new AccessError('unproven', true, { description: 'The key of the DPoP proof is not that of the access token.' })
      }
    }
    return { access, isProven }
  }
}

/** Converts the error of a refused proof; returns other errors unchanged. */
function toAccessError (error: unknown, { log }: FastifyRequest): unknown {
  if (!(error instanceof OAuthError)) return error
  log.info({ err: error }, 'a DPoP proof was refused')
  return new AccessError(error.error === 'use_dpop_nonce' ? 'nonceMissing' : 'unproven', true, { description: error.description })
}

/**
 * The access token of the `Authorization` header or a form (RFC 6750 §2.2), and whether its scheme is DPoP.
 * @throws AccessError if there is none, or more than one
 */
function readToken ({ headers: { authorization }, form }: FastifyRequest): { token: string, isProven: boolean } {
  const sent = readAuthorization(authorization)
  const inForm = form.access_token
  if (sent === null && inForm === undefined) throw new AccessError('missing')
  if (sent === null && typeof inForm === 'string') return { token: inForm, isProven: false }
  if (sent === null || inForm !== undefined || !('token' in sent)) throw new AccessError('malformed')
  return { token: sent.token, isProven: sent.scheme === 'DPoP' }
}
