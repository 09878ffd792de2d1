import { Type, type Static } from '@sinclair/typebox'

/** Metadata of an authorization server (RFC 8414 §2) and OpenID Provider (OpenID Connect Discovery §3). */
export const AuthorizationServerMetadata = Type.Object({
  issuer: Type.String({ description: 'The issuer, exactly as in tokens.' }),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.Optional(Type.String()),
  revocation_endpoint: Type.Optional(Type.String({ description: 'RFC 7009.' })),
  introspection_endpoint: Type.Optional(Type.String({ description: 'RFC 7662.' })),
  registration_endpoint: Type.Optional(Type.String({ description: 'RFC 7591 §3.' })),
  pushed_authorization_request_endpoint: Type.Optional(Type.String({ description: 'RFC 9126 §5.' })),
  device_authorization_endpoint: Type.Optional(Type.String({ description: 'RFC 8628 §4.' })),
  jwks_uri: Type.String(),
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Optional(Type.Array(Type.String(), { description: 'RFC 7636.' })),
  token_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
  token_endpoint_auth_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  revocation_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
  revocation_endpoint_auth_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  introspection_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
  introspection_endpoint_auth_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  dpop_signing_alg_values_supported: Type.Optional(Type.Array(Type.String(), { description: 'RFC 9449 §5.1.' })),
  protected_resources: Type.Optional(Type.Array(Type.String(), { description: 'APIs of this server that take its tokens (RFC 9728 §4).' })),
  client_id_metadata_document_supported: Type.Optional(
    Type.Boolean({ description: 'Whether a client_id can be the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document).' })
  ),
  authorization_response_iss_parameter_supported: Type.Boolean({ description: 'RFC 9207 §3.' }),
  userinfo_endpoint: Type.Optional(Type.String({ description: 'OpenID Connect Core §5.3.' })),
  end_session_endpoint: Type.Optional(Type.String({ description: 'OpenID Connect RP-Initiated Logout §2.1.' })),
  subject_types_supported: Type.Optional(Type.Array(Type.String())),
  id_token_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  userinfo_signing_alg_values_supported: Type.Optional(Type.Array(Type.String())),
  backchannel_logout_supported: Type.Optional(Type.Boolean({ description: 'OpenID Connect Back-Channel Logout §2.1.' })),
  backchannel_logout_session_supported: Type.Optional(Type.Boolean({ description: 'Whether logout tokens have `sid`.' })),
  claims_supported: Type.Optional(Type.Array(Type.String())),
  ui_locales_supported: Type.Optional(Type.Array(Type.String())),
  acr_values_supported: Type.Optional(Type.Array(Type.String())),
  prompt_values_supported: Type.Optional(Type.Array(Type.String())),
  claims_parameter_supported: Type.Optional(Type.Boolean()),
  request_parameter_supported: Type.Optional(Type.Boolean()),
  request_uri_parameter_supported: Type.Optional(Type.Boolean())
})
export type AuthorizationServerMetadata = Static<typeof AuthorizationServerMetadata>

/** Protected resource metadata (RFC 9728 §2). */
export const ProtectedResourceMetadata = Type.Object({
  resource: Type.String({ description: 'The audience of its access tokens.' }),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  dpop_signing_alg_values_supported: Type.Optional(Type.Array(Type.String(), { description: 'RFC 9449 §5.1.' }))
})
export type ProtectedResourceMetadata = Static<typeof ProtectedResourceMetadata>
