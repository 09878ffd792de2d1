import type { AccessToken } from '@frontdesk/schemas/access-token'
import { customerScopes, reservedCustomerScopes, type CustomerScope } from '@frontdesk/schemas/customer-scope'
import { challenge } from '@frontdesk/service-kit/access-token/authorization'
import { headerValues } from '@frontdesk/service-kit/header'
import fp from 'fastify-plugin'
import { scopeMissing, signInInsufficient, tokenBound, tokenMissing } from '../../problems/access.js'
import { ProblemError } from '../../problems/define.js'
import { isDpop, parseAuthorization } from '../../tokens/authorization.js'
import type { StepUpCheck } from '../../tokens/step-up.js'
import type { Verify } from '../../tokens/verify.js'
import type { AcceptBound } from './bound.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route requires, or two with a space between them; without one, it is public. */
    scope?: CustomerScope | `${CustomerScope} ${CustomerScope}`
    /** Whether a 403 also names the scopes that the token has: clients that request only what it names would lose them. */
    keepsScopes?: boolean
    /** Whether the settings can require a second factor or a recent sign-in of the user. */
    needsStepUp?: boolean
  }
  interface FastifyRequest {
    /** Claims of the verified access token; `null` if none is needed. */
    accessToken: AccessToken | null
    /** Scopes of the access token; empty on public routes. */
    scopes: readonly string[]
    /** For operations that need another scope than their route: throws the error to send. */
    requireScope: (scope: CustomerScope) => void
    /** For long requests: rejects with the error to send if the access token has expired or was revoked. */
    recheckToken: () => Promise<void>
  }
}

interface BearerOptions {
  /** `null` allows everything without a token. */
  verify: Verify | null
  /** Checks tokens that are bound to a key. */
  acceptBound: AcceptBound | null
  /** `null` requires no more than a token. */
  stepUp: StepUpCheck | null
  /** URL of the metadata (RFC 9728 §3), if known. */
  metadataUrl: string | undefined
}

const missingScope = (scope: string) => scopeMissing(`The access token is missing the scope ${scope}.`)

// as: the keys are those of its type.
const everything = Object.keys({ ...customerScopes, ...reservedCustomerScopes }) as CustomerScope[]

/** The scopes of both lists that the API knows. */
function union (scopes: readonly string[], others: readonly string[]): string {
  return everything.filter(it => scopes.includes(it) || others.includes(it)).join(' ')
}

/** Authenticates callers with bearer and key-bound access tokens: RFC 6750 §2.1, RFC 9449 §7, RFC 9068 §4, RFC 9728 §5.1, RFC 9470. */
export default fp<BearerOptions>(async function bearer (fastify, { verify, acceptBound, stepUp, metadataUrl }) {
  fastify.decorateRequest('accessToken', null)
  fastify.decorateRequest('scopes')
  fastify.decorateRequest('recheckToken', async function () {
    const { scope } = this.routeOptions.config
    if (verify === null || scope === undefined) return
    const sent = headerValues(this.raw.rawHeaders, 'authorization')
    try {
      // !: the request had a token.
      await verify(parseAuthorization(sent)!)
    } catch (error) {
      throw withChallenge(error, scope, isDpop(sent))
    }
  })
  fastify.decorateRequest('requireScope', function (other) {
    if (this.scopes.includes(other)) return
    throw withChallenge(missingScope(other), union([other], this.scopes), isDpop(headerValues(this.raw.rawHeaders, 'authorization')))
  })
  const realm = { realm: 'customer-service', resource_metadata: metadataUrl }

  fastify.addHook('onRequest', (request, reply, done) => {
    const { scope, needsStepUp = false, keepsScopes = false } = request.routeOptions.config
    if (scope === undefined) return done()
    if (verify === null || acceptBound === null) {
      request.scopes = everything
      return done()
    }
    let isBound = false
    let needed: string = scope
    const accept = (claims: AccessToken) => {
      if (claims.cnf !== undefined && !isBound) throw tokenBound('Send this access token with the scheme DPoP and a proof of its key.')
      request.accessToken = claims
      request.scopes = claims.scope.split(' ')
      const required = scope.split(' ')
      const missing = required.find(it => !request.scopes.includes(it))
      if (keepsScopes) needed = union(required, request.scopes)
      if (missing !== undefined) throw missingScope(missing)
      if (needsStepUp) stepUp?.assert(claims)
    }
    const reject = (error: Error) => {
      // Deferred until Node.js has parsed the bytes after the headers: a malformed body must get one response, not two.
      queueMicrotask(() => done(withChallenge(error, needed, isBound)))
    }
    try {
      const sent = headerValues(request.raw.rawHeaders, 'authorization')
      isBound = isDpop(sent)
      const token = parseAuthorization(sent)
      if (token === null) throw tokenMissing('Send an access token in the header: Authorization: Bearer <token>.')
      if (isBound) {
        acceptBound(reply, token).then(accept).then(() => done(), reject)
        return
      }
      const claims = verify(token)
      if (claims instanceof Promise) {
        claims.then(accept).then(() => done(), reject)
        return
      }
      accept(claims)
    } catch (error) {
      // as: only errors are thrown here.
      return reject(error as Error)
    }
    done()
  })

  /** Adds the challenge: the required scope (RFC 6750 §3), and both schemes if either can help (RFC 9449 §7.1). */
  function withChallenge<E> (error: E, scope: string, isBound: boolean): E {
    if (!(error instanceof ProblemError)) return error
    const { challenge: code, status, title } = error.kind
    if (code === undefined) return error
    const fault = code === '' ? {} : { error: code, error_description: title }
    const needed = status === 400 ? {} : { scope }
    const parameters = { ...realm, ...fault, ...error.kind === signInInsufficient.kind && stepUp?.parameters, ...needed }
    error.headers['WWW-Authenticate'] = isBound || error.kind === tokenBound.kind
      ? challenge('DPoP', parameters)
      : challenge('Bearer', parameters) + (status === 401 ? `, ${challenge('DPoP', { ...realm, ...needed })}` : '')
    return error
  }
}, { name: 'bearer', fastify: '5.x' })
