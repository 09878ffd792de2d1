import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DPOP_ALGS } from '@frontdesk/service-kit/dpop/proof'
import { ACRS } from '@frontdesk/schemas/acr'
import { AuthorizationServerMetadata } from '@frontdesk/schemas/metadata'
import type { Config } from '../../config.js'
import { clientAuth } from '../../client-auth/index.js'
import { ASSERTION_ALGS } from '../../client-auth/private-key-jwt.js'
import { grantTypes } from '../../grants/index.js'
import { languageTags } from '../../languages/languages.js'
import { promptsOf } from '../../oauth/interaction.js'
import { CODE_CHALLENGE_METHODS } from '../../oauth/pkce.js'
import { METADATA_PATH, OPENID_CONFIGURATION_PATH } from '../../oauth/well-known.js'
import { ID_TOKEN_ALGS } from '../../oauth/id-token-algs.js'
import { claimsWith } from '../../oauth/openid-claims.js'
import { knownScopes } from '../../oauth/openid-scopes.js'
import type { ResponseType } from '../../response-types/response-type.js'

/**
 * Authorization server metadata (RFC 8414), and OpenID Provider metadata (OpenID Connect Discovery §4): below the issuer, and where
 * RFC 8414 §3.1 puts it for an issuer with a path.
 */
const metadata: FastifyPluginAsyncTypebox<{
  config: Pick<Config, 'issuer' | 'registration' | 'clientMetadataDocuments' | 'adminAudience' | 'rolesClaim' | 'signUp'>
  basePath: string
  responseTypes: readonly ResponseType[]
}> = async function metadata (fastify, { config, basePath, responseTypes }) {
  const { issuer } = config
  const authMethods = clientAuth.map(({ name }) => name)
  const metadata: AuthorizationServerMetadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    ...(config.registration !== 'off' && { registration_endpoint: `${issuer}/register` }),
    pushed_authorization_request_endpoint: `${issuer}/par`,
    device_authorization_endpoint: `${issuer}/device_authorization`,
    end_session_endpoint: `${issuer}/end-session`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: Object.keys(knownScopes),
    response_types_supported: responseTypes.map(({ name }) => name),
    response_modes_supported: [...new Set(responseTypes.flatMap(({ responseModes }) => responseModes))],
    grant_types_supported: [...new Set([...responseTypes.map(({ grantType }) => grantType), ...grantTypes.map(({ name }) => name)])],
    code_challenge_methods_supported: [...CODE_CHALLENGE_METHODS],
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGS],
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGS],
    introspection_endpoint_auth_methods_supported: authMethods.filter(name => name !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGS],
    dpop_signing_alg_values_supported: [...DPOP_ALGS],
    protected_resources: [issuer, ...config.adminAudience === undefined ? [] : [config.adminAudience]],
    ...(config.clientMetadataDocuments && { client_id_metadata_document_supported: true }),
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: [...ID_TOKEN_ALGS],
    userinfo_signing_alg_values_supported: [...ID_TOKEN_ALGS],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_supported: [
      'iss', 'aud', 'iat', 'exp', 'auth_time', 'acr', 'amr', 'nonce', 'sid', 'at_hash', 'sub', ...claimsWith(config.rolesClaim)
    ],
    prompt_values_supported: [...promptsOf(config)],
    ui_locales_supported: [...languageTags],
    acr_values_supported: [...ACRS],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false
  }

  const document = Buffer.from(JSON.stringify(metadata))
  // OpenAPI operations have one path: documented where RFC 8414 §3.1 and OpenID Connect Discovery §4.1 put them.
  const documented: Record<string, string> = {
    [`${METADATA_PATH}${basePath}`]: 'getAuthorizationServerMetadata', [`${basePath}${OPENID_CONFIGURATION_PATH}`]: 'getOpenidConfiguration'
  }
  const places = [METADATA_PATH, OPENID_CONFIGURATION_PATH].flatMap(path => [`${basePath}${path}`, `${path}${basePath}`])
  for (const path of new Set(places)) {
    fastify.get(path, {
      config: { polled: true },
      schema: {
        operationId: documented[path] ?? path,
        summary: 'Authorization server metadata',
        tags: ['OAuth 2.0'],
        response: { 200: AuthorizationServerMetadata },
        hide: !(path in documented)
      }
    }, async (request, reply) => reply.headers({ 'cache-control': 'public, max-age=300' }).sendDocument(document))
  }
}
export default metadata
