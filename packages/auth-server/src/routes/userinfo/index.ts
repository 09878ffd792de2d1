import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { findUserId, type Inspect } from '../../grants/inspect.js'
import type { IdTokenSigner } from '../../keys/id-token-signer.js'
import type { Proofs } from '../../tokens/proofs.js'
import { userClaims } from '../../tokens/claims.js'
import { claimList } from '../../oauth/openid-claims.js'
import { asksForIdToken } from '../../oauth/openid-scopes.js'
import { parseScope } from '../../oauth/scope.js'
import jsonErrors from '../json-errors.js'
import { AccessError, createReadAccess, refuseAccess, ResourceError } from '../resource-access.js'
import type { Stores } from '../../stores/stores.js'

const UserInfo = Type.Object({
  sub: Type.String({ description: 'The user\'s identifier, as in the ID token.' }),
  ...Object.fromEntries(Object.entries(claimList).map(([name, { schema }]) => [name, Type.Optional(schema)]))
}, { description: 'The claims that the token\'s scope allows.' })

interface Options {
  /** `defaultAudience`: audience of the tokens. Another resource must not be able to use the tokens that it receives here. */
  config: Pick<Config, 'issuer' | 'defaultAudience' | 'rolesClaim'>
  stores: Pick<Stores, 'clients' | 'grants' | 'profiles'>
  idTokens: Pick<IdTokenSigner, 'sign'>
  inspect: Inspect
  proofs: Proofs
}

/** `/userinfo`: returns claims about the user who signed in (OpenID Connect Core §5.3). */
const userinfo: FastifyPluginAsyncTypebox<Options> = async function userinfo (
  fastify,
  { config: { issuer, defaultAudience, rolesClaim }, stores: { clients, grants, profiles }, idTokens, inspect, proofs }
) {
  const schema = {
    summary: 'Read the user\'s claims',
    tags: ['OpenID Connect'],
    response: {
      200: {
        description: 'The claims that the token\'s scope allows. Signed if the client registered a `userinfo_signed_response_alg`.',
        content: { 'application/json': { schema: UserInfo }, 'application/jwt': { schema: Type.String() } }
      },
      '4xx': ResourceError,
      '5xx': ResourceError
    }
  }

  const readAccess = createReadAccess({ inspect, proofs, audience: defaultAudience, url: `${issuer}/userinfo` })

  /** Sends refusals itself: unlike errors of `/token`, they have a challenge, and are not in the audit trail. */
  async function respond (request: FastifyRequest, reply: FastifyReply) {
    return await readClaims(reply).catch(refuseAccess(reply, 'userinfo'))
  }

  async function readClaims (reply: FastifyReply) {
    const { access, isProven } = await readAccess(reply)
    const scope = parseScope(access.scope)
    if (!asksForIdToken(scope)) throw new AccessError('insufficient', isProven, { scope: 'openid' })
    const client = await clients.find(access.client_id)
    const userId = client === null ? null : await findUserId(access, client, grants)
    const profile = userId === null ? null : await profiles.find(userId)
    if (client === null || profile === null) throw new AccessError('invalid', isProven)
    const claims = { sub: access.sub, ...userClaims(profile, scope, 'userinfo', rolesClaim) }
    const { userinfoSignedResponseAlg: alg } = client
    if (alg === null) return claims
    return await reply.type('application/jwt').send(await idTokens.sign({ ...claims, iss: issuer, aud: client.id }, alg))
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
