import { Type, type Static } from '@sinclair/typebox'

/** `typ` of an access token's header (RFC 9068 §2.1). */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/** Claims of an access token (RFC 9068 §2.2). Times are seconds since 1970. */
export const AccessToken = Type.Object({
  iss: Type.String({ description: 'Issuer: the authorization server.' }),
  sub: Type.String({ description: 'Resource owner; equal to `client_id` only where `gty` is `client_credentials` (RFC 9068 §2.2).' }),
  aud: Type.Union([Type.String(), Type.Array(Type.String())], { description: 'Resource the token is for.' }),
  client_id: Type.String({ description: 'Client that requested the token.' }),
  scope: Type.String({ description: 'Space-separated scopes granted.' }),
  iat: Type.Integer({ description: 'Issued at.' }),
  exp: Type.Integer({ description: 'Expires at.' }),
  jti: Type.String({ description: 'Unique identifier of the token.' }),
  auth_time: Type.Optional(Type.Integer({ description: 'When the resource owner signed in.' })),
  acr: Type.Optional(Type.String({ description: 'Level of the sign-in: one of `acr_values_supported` in the metadata.' })),
  amr: Type.Optional(Type.Array(Type.String(), { description: 'How the resource owner signed in, such as `pwd` (RFC 8176).' })),
  gty: Type.Optional(Type.String({ description: 'Grant type that issued the token, such as `implicit`.' })),
  roles: Type.Optional(Type.Array(Type.String(), { description: 'The resource owner\'s roles, with the scope `roles` (RFC 9068 §2.2.3.1).' })),
  groups: Type.Optional(Type.Array(Type.String(), { description: 'The same, if the authorization server calls them groups.' })),
  grant_id: Type.Optional(
    Type.String({ description: 'Grant that the token came from (OpenID Grant Management): when it is revoked, so are all of its tokens.' })
  ),
  cnf: Type.Optional(Type.Object({
    jkt: Type.String({ description: 'Thumbprint of the key (RFC 7638).' })
  }, { description: 'Key that the token is bound to. The token is valid only with a DPoP proof from that key (RFC 9449 §6.1).' }))
})
export type AccessToken = Static<typeof AccessToken>
