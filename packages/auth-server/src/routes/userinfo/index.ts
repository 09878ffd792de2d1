import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { findPerson, type Inspect } from '../../grants/inspect.js'
import type { IdTokenSigner } from '../../keys/id-token-signer.js'
import { claimsOf } from '../../tokens/claims.js'
import { asksForIdToken } from '../../oauth/openid-scopes.js'
import { parseScope } from '../../oauth/scope.js'
import jsonErrors from '../json-errors.js'
import type { Stores } from '../../stores/stores.js'

/** Claims about a person (OpenID Connect Core §5.1). */
const UserInfo = Type.Object({
  sub: Type.String({ description: 'Identifier of the person, as in the ID token.' }),
  name: Type.Optional(Type.String()),
  given_name: Type.Optional(Type.String()),
  family_name: Type.Optional(Type.String()),
  preferred_username: Type.Optional(Type.String({ description: 'User name; it may change.' })),
  picture: Type.Optional(Type.String()),
  locale: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.Integer({ description: 'When the person was changed, in seconds since 1970.' })),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Boolean())
}, { description: 'What the scope of the token allows.' })

/** An error of a resource (RFC 6750 §3). */
const BearerError = Type.Object({ error: Type.String(), error_description: Type.String() }, { description: 'An error (RFC 6750 §3.1).' })

const ERRORS = {
  missing: { statusCode: 401, error: 'invalid_token', description: 'The request needs an access token.' },
  invalid: { statusCode: 401, error: 'invalid_token', description: 'The access token is invalid, expired or revoked, or for another audience.' },
  malformed: { statusCode: 400, error: 'invalid_request', description: 'The request needs one access token, in one place.' },
  insufficient: { statusCode: 403, error: 'insufficient_scope', description: 'The access token lacks the scope openid.' }
} as const

interface Options {
  /** `defaultAudience`: of the tokens. One for another resource must not be usable by that resource here. */
  config: Pick<Config, 'issuer' | 'defaultAudience'>
  stores: Pick<Stores, 'clients' | 'grants' | 'profiles'>
  /** Signs answers for clients that want it. */
  idTokens: Pick<IdTokenSigner, 'sign'>
  inspect: Inspect
  isUnavailable: (error: unknown) => boolean
}

/** `/userinfo`: tells an app who has signed in (OpenID Connect Core §5.3). */
const userinfo: FastifyPluginAsyncTypebox<Options> = async function userinfo (
  fastify,
  { config: { issuer, defaultAudience }, stores: { clients, grants, profiles }, idTokens, inspect, isUnavailable }
) {
  const schema = {
    summary: 'Ask who has signed in',
    tags: ['OpenID Connect'],
    response: {
      200: {
        description: 'What the scope of the token allows; signed for clients that are registered with a `userinfo_signed_response_alg`.',
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
    const live = await inspect(token, fastify.clock.now())
    if (live === null || !('access' in live) || live.access.aud !== defaultAudience) return refuse(reply, 'invalid')
    const scope = parseScope(live.access.scope)
    if (!asksForIdToken(scope)) return refuse(reply, 'insufficient')
    const client = await clients.find(live.access.client_id)
    const userId = client === null ? null : await findPerson(live.access, client, grants)
    const person = userId === null ? null : await profiles.find(userId)
    if (client === null || person === null) return refuse(reply, 'invalid')
    const claims = { sub: live.access.sub, ...claimsOf(person, scope, 'userinfo') }
    const { userinfoSignedResponseAlg: alg } = client
    if (alg === null) return claims
    return await reply.type('application/jwt').send(await idTokens.sign({ ...claims, iss: issuer, aud: client.id }, alg))
  }

  await fastify.register(jsonErrors, { isUnavailable })
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

/** The access token of the `Authorization` header (RFC 6750 §2.1), or of a form (§2.2); `undefined`: none, `null`: malformed, or both. */
function tokenOf ({ headers: { authorization = '' }, form: { access_token: inForm } }: FastifyRequest): string | null | undefined {
  if (!/^bearer( |$)/i.test(authorization)) return typeof inForm === 'string' ? inForm : undefined
  const [, token = null] = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  return inForm === undefined ? token : null
}

function refuse (reply: FastifyReply, kind: keyof typeof ERRORS) {
  const { statusCode, error, description } = ERRORS[kind]
  const scope = kind === 'insufficient' ? ', scope="openid"' : ''
  // RFC 6750 §3.1: a request without a token gets no error code there.
  const reason = kind === 'missing' ? '' : `, error="${error}", error_description="${description}"${scope}`
  return reply.code(statusCode).header('www-authenticate', `Bearer realm="userinfo"${reason}`).send({ error, error_description: description })
}
