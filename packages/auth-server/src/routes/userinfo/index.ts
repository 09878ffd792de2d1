import { DPOP_ALGS } from '@frontdesk/service-kit/dpop/algs'
import { ProofError } from '@frontdesk/service-kit/dpop/proof'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { findPerson, type Inspect } from '../../grants/inspect.js'
import type { IdTokenSigner } from '../../keys/id-token-signer.js'
import type { Proofs } from '../../tokens/proofs.js'
import { claimsOf } from '../../tokens/claims.js'
import { claimList } from '../../oauth/openid-claims.js'
import { asksForIdToken } from '../../oauth/openid-scopes.js'
import { parseScope } from '../../oauth/scope.js'
import jsonErrors from '../json-errors.js'
import type { Stores } from '../../stores/stores.js'

/** Claims about a person (OpenID Connect Core §5.1). */
const UserInfo = Type.Object({
  sub: Type.String({ description: 'The user\'s identifier, as in the ID token.' }),
  ...Object.fromEntries(Object.entries(claimList).map(([name, { schema }]) => [name, Type.Optional(schema)]))
}, { description: 'The claims that the token\'s scope allows.' })

/** An error of a resource (RFC 6750 §3). */
const BearerError = Type.Object({ error: Type.String(), error_description: Type.String() }, { description: 'An error (RFC 6750 §3.1).' })

const ERRORS = {
  missing: { statusCode: 401, error: 'invalid_token', description: 'The request needs an access token.' },
  invalid: { statusCode: 401, error: 'invalid_token', description: 'The access token is invalid, expired or revoked, or for another audience.' },
  malformed: { statusCode: 400, error: 'invalid_request', description: 'The request needs one access token, in one place.' },
  unproven: { statusCode: 401, error: 'invalid_dpop_proof', description: 'The DPoP proof is not valid.' },
  nonceMissing: { statusCode: 401, error: 'use_dpop_nonce', description: 'The DPoP proof needs the nonce in the header DPoP-Nonce.' },
  insufficient: { statusCode: 403, error: 'insufficient_scope', description: 'The access token is missing the scope openid.' }
} as const

interface Options {
  /** `defaultAudience`: of the tokens. One for another resource must not be usable by that resource here. */
  config: Pick<Config, 'issuer' | 'defaultAudience'>
  stores: Pick<Stores, 'clients' | 'grants' | 'profiles'>
  /** Signs answers for clients that want it. */
  idTokens: Pick<IdTokenSigner, 'sign'>
  inspect: Inspect
  proofs: Proofs
}

/** `/userinfo`: tells an app who has signed in (OpenID Connect Core §5.3). */
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

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = tokenOf(request)
    if (token === undefined) return refuse(reply, 'missing')
    if (token === null) return refuse(reply, 'malformed')
    const now = fastify.clock.now()
    const { isProven } = token
    const live = await inspect(token.text, now)
    if (live === null || !('access' in live) || live.access.aud !== defaultAudience) return refuse(reply, 'invalid', isProven)
    // RFC 9449 §7.1, §7.2: a token that is bound to a key counts only with a proof of it.
    if (isProven || live.access.cnf !== undefined) {
      if (!isProven || live.access.cnf === undefined) return refuse(reply, 'invalid', true)
      const unproven = await whyUnproven(request, reply, token.text, live.access.cnf.jkt, now)
      if (unproven !== null) return refuse(reply, ...unproven)
    }
    const scope = parseScope(live.access.scope)
    if (!asksForIdToken(scope)) return refuse(reply, 'insufficient', isProven)
    const client = await clients.find(live.access.client_id)
    const userId = client === null ? null : await findPerson(live.access, client, grants)
    const person = userId === null ? null : await profiles.find(userId)
    if (client === null || person === null) return refuse(reply, 'invalid', isProven)
    const claims = { sub: live.access.sub, ...claimsOf(person, scope, 'userinfo') }
    const { userinfoSignedResponseAlg: alg } = client
    if (alg === null) return claims
    return await reply.type('application/jwt').send(await idTokens.sign({ ...claims, iss: issuer, aud: client.id }, alg))
  }

  /** How to refuse a request whose proof does not show that it has the key of its access token; `null` if it does (RFC 9449 §7.1). */
  async function whyUnproven (
    request: FastifyRequest, reply: FastifyReply, accessToken: string, jkt: string, now: Date
  ): Promise<[keyof typeof ERRORS, true, string?] | null> {
    const { method, headers: { dpop }, log } = request
    reply.header('dpop-nonce', proofs.nonce(now))
    if (dpop === undefined) return ['unproven', true, 'The request has no DPoP proof.']
    try {
      const proven = await proofs.check(String(dpop), { method, url: `${issuer}/userinfo`, accessToken }, now)
      return proven === jkt ? null : ['unproven', true, 'The key of the DPoP proof is not that of the access token.']
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      log.info({ err: error }, 'a DPoP proof was refused')
      return error.code === 'use_dpop_nonce' ? ['nonceMissing', true] : ['unproven', true, error.message]
    }
  }

  await fastify.register(jsonErrors)
  // Forms are checked by the rules of the RFCs; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)
  fastify.get('/userinfo', { schema: { ...schema, operationId: 'getUserInfo', security: [{ bearer: [] }] } }, answer)
  fastify.post('/userinfo', {
    schema: {
      ...schema,
      operationId: 'postUserInfo',
      security: [{ bearer: [] }, {}],
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({ access_token: Type.Optional(Type.String({ description: 'Unless it is in the `Authorization` header.' })) })
    }
  }, answer)
}
export default userinfo

/** An access token, and whether the request says that a proof goes with it. */
interface SentToken { readonly text: string, readonly isProven: boolean }

/**
 * The access token of the `Authorization` header (RFC 6750 §2.1, RFC 9449 §7.1), or of a form (RFC 6750 §2.2); `undefined`: none,
 * `null`: malformed, or both.
 */
function tokenOf ({ headers: { authorization = '' }, form: { access_token: inForm } }: FastifyRequest): SentToken | null | undefined {
  if (!/^(bearer|dpop)( |$)/i.test(authorization)) return typeof inForm === 'string' ? { text: inForm, isProven: false } : undefined
  const [, scheme = '', text] = /^(bearer|dpop) +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  return inForm === undefined && text !== undefined ? { text, isProven: scheme.toLowerCase() === 'dpop' } : null
}

function refuse (reply: FastifyReply, kind: keyof typeof ERRORS, isProven = false, description: string = ERRORS[kind].description) {
  const { statusCode, error } = ERRORS[kind]
  const scope = kind === 'insufficient' ? ', scope="openid"' : ''
  // RFC 6750 §3.1: a request without a token gets no error code there.
  const reason = kind === 'missing' ? '' : `, error="${error}", error_description="${description}"${scope}`
  const challenge = isProven ? `DPoP realm="userinfo"${reason}, algs="${DPOP_ALGS.join(' ')}"` : `Bearer realm="userinfo"${reason}`
  return reply.code(statusCode).header('www-authenticate', challenge).send({ error, error_description: description })
}
