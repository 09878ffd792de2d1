import { readAuthorization, challenge } from '@frontdesk/service-kit/access-token/authorization'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { findUserId, type Inspect } from '../../grants/inspect.js'
import type { IdTokenSigner } from '../../keys/id-token-signer.js'
import type { Proofs } from '../../tokens/proofs.js'
import { userClaims } from '../../tokens/claims.js'
import { OAuthError } from '../../oauth/errors.js'
import { claimList } from '../../oauth/openid-claims.js'
import { asksForIdToken } from '../../oauth/openid-scopes.js'
import { parseScope } from '../../oauth/scope.js'
import jsonErrors from '../json-errors.js'
import { createProvenKey } from '../proven-key.js'
import type { Stores } from '../../stores/stores.js'

const UserInfo = Type.Object({
  sub: Type.String({ description: 'The user\'s identifier, as in the ID token.' }),
  ...Object.fromEntries(Object.entries(claimList).map(([name, { schema }]) => [name, Type.Optional(schema)]))
}, { description: 'The claims that the token\'s scope allows.' })

const BearerError = Type.Object({ error: Type.String(), error_description: Type.String() }, { description: 'An error (RFC 6750 §3.1).' })

/** Errors of a resource (RFC 6750 §3.1, RFC 9449 §7.1): unlike those of `/token`, with a challenge. */
const ERRORS = {
  missing: { statusCode: 401, error: 'invalid_token', description: 'The request needs an access token.' },
  invalid: { statusCode: 401, error: 'invalid_token', description: 'The access token is invalid, expired or revoked, or for another audience.' },
  malformed: { statusCode: 400, error: 'invalid_request', description: 'The request needs one access token, in one place.' },
  unproven: { statusCode: 401, error: 'invalid_dpop_proof', description: 'The DPoP proof is not valid.' },
  nonceMissing: { statusCode: 401, error: 'use_dpop_nonce', description: 'The DPoP proof needs the nonce in the header DPoP-Nonce.' },
  insufficient: { statusCode: 403, error: 'insufficient_scope', description: 'The access token is missing the scope openid.' }
} as const

interface Options {
  /** `defaultAudience`: audience of the tokens. Another resource must not be able to use the tokens that it receives here. */
  config: Pick<Config, 'issuer' | 'defaultAudience'>
  stores: Pick<Stores, 'clients' | 'grants' | 'profiles'>
  idTokens: Pick<IdTokenSigner, 'sign'>
  inspect: Inspect
  proofs: Proofs
}

/** `/userinfo`: returns claims about the user who signed in (OpenID Connect Core §5.3). */
const userinfo: FastifyPluginAsyncTypebox<Options> = async function userinfo (
  fastify,
  { config: { issuer, defaultAudience }, stores: { clients, grants, profiles }, idTokens, inspect, proofs }
) {
  const schema = {
    summary: 'Read the user\'s claims',
    tags: ['OpenID Connect'],
    response: {
      200: {
        description: 'The claims that the token\'s scope allows. Signed if the client registered a `userinfo_signed_response_alg`.',
        content: { 'application/json': { schema: UserInfo }, 'application/jwt': { schema: Type.String() } }
      },
      '4xx': BearerError,
      '5xx': BearerError
    }
  }

  const provenKey = createProvenKey(proofs, `${issuer}/userinfo`)

  /** Sends refusals itself: unlike errors of `/token`, they have a challenge, and are not in the audit trail. */
  async function respond (request: FastifyRequest, reply: FastifyReply) {
    return await readClaims(reply).catch(error => {
      if (!(error instanceof Refusal)) throw error
      return reply.code(error.statusCode).header('www-authenticate', error.challenge)
        .send({ error: error.code, error_description: error.message })
    })
  }

  async function readClaims (reply: FastifyReply) {
    const { access, isProven } = await readAccess(reply)
    const scope = parseScope(access.scope)
    if (!asksForIdToken(scope)) throw new Refusal('insufficient', isProven)
    const client = await clients.find(access.client_id)
    const userId = client === null ? null : await findUserId(access, client, grants)
    const profile = userId === null ? null : await profiles.find(userId)
    if (client === null || profile === null) throw new Refusal('invalid', isProven)
    const claims = { sub: access.sub, ...userClaims(profile, scope, 'userinfo') }
    const { userinfoSignedResponseAlg: alg } = client
    if (alg === null) return claims
    return await reply.type('application/jwt').send(await idTokens.sign({ ...claims, iss: issuer, aud: client.id }, alg))
  }

  /** The live access token of a request. If it is bound to a key, the request must prove the key (RFC 9449 §7.1, §7.2). */
  async function readAccess (reply: FastifyReply) {
    const { token, isProven } = readToken(reply.request)
    const now = fastify.clock.now()
    const live = await inspect(token, now)
    if (live === null || !('access' in live) || live.access.aud !== defaultAudience) throw new Refusal('invalid', isProven)
    const { access, access: { cnf } } = live
    if (isProven !== (cnf !== undefined)) throw new Refusal('invalid', true)
    if (cnf !== undefined) {
      reply.header('dpop-nonce', proofs.nonce(now))
      const proven = await provenKey(reply, token).catch(error => { throw toRefusal(error, reply.request) })
      if (proven === undefined) throw new Refusal('unproven', true, 'The request has no DPoP proof.')
      if (proven !== cnf.jkt) throw new Refusal('unproven', true, 'The key of the DPoP proof is not that of the access token.')
    }
    return { access, isProven }
  }

  await fastify.register(jsonErrors)
  // Forms are checked by the rules of the RFCs; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)
  fastify.get('/userinfo', { schema: { ...schema, operationId: 'getUserInfo', security: [{ bearer: [] }] } }, respond)
  fastify.post('/userinfo', {
    schema: {
      ...schema,
      operationId: 'postUserInfo',
      security: [{ bearer: [] }, {}],
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({ access_token: Type.Optional(Type.String({ description: 'Unless it is in the `Authorization` header.' })) })
    }
  }, respond)
}
export default userinfo

/** A refusal with a challenge (RFC 6750 §3). */
class Refusal extends Error {
  readonly statusCode: number
  readonly code: string
  readonly challenge: string

  constructor (kind: keyof typeof ERRORS, isProven = false, description: string = ERRORS[kind].description) {
    super(description)
    const { statusCode, error } = ERRORS[kind]
    this.statusCode = statusCode
    this.code = error
    // RFC 6750 §3.1: a request without a token gets no error code there.
    const reason = kind === 'missing' ? {} : { error, error_description: description, scope: kind === 'insufficient' ? 'openid' : undefined }
    this.challenge = challenge(isProven ? 'DPoP' : 'Bearer', { realm: 'userinfo', ...reason })
  }
}

/** Converts the error of a refused proof; returns other errors unchanged. */
function toRefusal (error: unknown, { log }: FastifyRequest): unknown {
  if (!(error instanceof OAuthError)) return error
  log.info({ err: error }, 'a DPoP proof was refused')
  return new Refusal(error.error === 'use_dpop_nonce' ? 'nonceMissing' : 'unproven', true, error.description)
}

/**
 * The access token of the `Authorization` header or the form (RFC 6750 §2.2), and whether its scheme is DPoP.
 * @throws Refusal if there is none, or more than one
 */
function readToken ({ headers: { authorization }, form: { access_token: inForm } }: FastifyRequest): { token: string, isProven: boolean } {
  const sent = readAuthorization(authorization)
  if (sent === null && inForm === undefined) throw new Refusal('missing')
  if (sent === null && typeof inForm === 'string') return { token: inForm, isProven: false }
  if (sent === null || inForm !== undefined || !('token' in sent)) throw new Refusal('malformed')
  return { token: sent.token, isProven: sent.scheme === 'DPoP' }
}
