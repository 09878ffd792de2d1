import type { FastifyPluginAsync } from 'fastify'
import { createAuthenticate } from '../../client-auth/authenticate.js'
import type { Credentials, DocumentRefresh, FetchedKeys } from '../../client-auth/client-auth.js'
import type { Config } from '../../config.js'
import type { Inspect } from '../../grants/inspect.js'
import type { IdTokenSigner } from '../../keys/id-token-signer.js'
import type { KeyRing } from '../../keys/key-ring.js'
import type { Client } from '../../oauth/client.js'
import { promptsOf } from '../../oauth/interaction.js'
import type { ResponseType } from '../../response-types/response-type.js'
import type { Stores } from '../../stores/stores.js'
import { createTokenIssuer } from '../../tokens/issue.js'
import type { Proofs } from '../../tokens/proofs.js'
import type { PushedRequests } from '../../consent/pushed-request.js'
import jsonErrors from '../json-errors.js'
import deviceAuthorization from './device-authorization.js'
import introspect from './introspect.js'
import par from './par.js'
import { createProvenKey } from '../proven-key.js'
import revoke from './revoke.js'
import issue from './token.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated client. */
    client: Client
  }
}

interface Options {
  config: Config
  stores: Stores
  keys: KeyRing
  idTokens: IdTokenSigner
  inspect: Inspect
  responseTypes: readonly ResponseType[]
  pushedRequests: PushedRequests
  proofs: Proofs
  fetchedKeys: FetchedKeys
  documentRefresh: DocumentRefresh
}

/**
 * Endpoints with client authentication: `/token`, `/revoke`, `/introspect`, `/par` and `/device_authorization` (RFC 6749 §3.2,
 * RFC 7009, RFC 7662, RFC 9126, RFC 8628 §3.1).
 */
const token: FastifyPluginAsync<Options> = async function token (
  fastify,
  { config, stores, keys, idTokens, inspect, responseTypes, pushedRequests, proofs, fetchedKeys, documentRefresh }
) {
  const { issuer, defaultAudience, adminAudience, mcpResources } = config
  const server = { issuer, defaultAudience, adminAudience, mcpResources }
  const authenticate = createAuthenticate({ stores, issuer, fetchedKeys, documentRefresh })
  await fastify.register(jsonErrors)
  // Forms are checked by the rules of the RFCs; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)
  fastify.decorateRequest('client')
  fastify.addHook('preHandler', async request => {
    const { headers: { authorization }, form, ip: address, routeOptions: { url = '' } } = request
    // as: the paths of this scope.
    const endpoint = url.slice(fastify.prefix.length) as Credentials['endpoint']
    request.client = await authenticate({ authorization, form, address, endpoint }, fastify.clock.now())
  })

  const tokens = createTokenIssuer({ keys, idTokens, profiles: stores.profiles, ...config })
  const provenKey = (path: string) => createProvenKey(proofs, issuer + path)
  await fastify.register(issue, { parts: { stores, tokens, server }, provenKey: provenKey('/token') })
  await fastify.register(revoke, { inspect, stores })
  await fastify.register(introspect, { inspect, issuer })
  const offer = { responseTypes, prompts: promptsOf(config), ...server }
  await fastify.register(par, { offer, pushedRequests, provenKey: provenKey('/par') })
  await fastify.register(deviceAuthorization, { issuer, server, stores })
}
export default token
