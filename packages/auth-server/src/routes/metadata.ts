import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { AuthorizationServerMetadata } from '@frontdesk/schemas/metadata'
import { METADATA_PATH } from '../oauth/well-known.js'
import type { ResponseType } from '../response-types/response-type.js'

/** Authorization server metadata (RFC 8414): below the issuer, and where §3.1 puts it for an issuer with a path. */
const metadata: FastifyPluginAsyncTypebox<{ issuer: string, basePath: string, responseTypes: readonly ResponseType[] }> = async function metadata (fastify, { issuer, basePath, responseTypes }) {
  const document: AuthorizationServerMetadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: Object.keys(customerScopes),
    response_types_supported: responseTypes.map(({ name }) => name),
    response_modes_supported: [...new Set(responseTypes.flatMap(({ responseModes }) => responseModes))],
    grant_types_supported: [...new Set(responseTypes.map(({ grantType }) => grantType))],
    authorization_response_iss_parameter_supported: true
  }

  for (const path of new Set([`${basePath}${METADATA_PATH}`, `${METADATA_PATH}${basePath}`])) {
    fastify.get(path, {
      schema: { summary: 'Authorization server metadata', tags: ['OAuth 2.0'], response: { 200: AuthorizationServerMetadata } }
    }, async (request, reply) => {
      return reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }).send(document)
    })
  }
}
export default metadata
