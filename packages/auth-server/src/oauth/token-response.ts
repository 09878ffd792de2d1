import { Type, type Static } from '@sinclair/typebox'

/** Successful response of `POST /token` (RFC 6749 §5.1). */
export const TokenResponse = Type.Object({
  access_token: Type.String({ description: 'JWT access token (RFC 9068).' }),
  token_type: Type.Unsafe<'Bearer' | 'DPoP'>({
    type: 'string', enum: ['Bearer', 'DPoP'], description: '`Bearer` (RFC 6750); `DPoP` if the request had a DPoP proof (RFC 9449 §5).'
  }),
  expires_in: Type.Integer({ minimum: 1, description: 'Lifetime of the access token, in seconds.' }),
  scope: Type.Optional(Type.String({ description: 'Space-separated scopes granted; absent if there are none.' })),
  id_token: Type.Optional(Type.String({ description: 'Who signed in, and when (OpenID Connect Core §2); if the scope has `openid`.' })),
  refresh_token: Type.Optional(
    Type.String({
      description:
        'Gets the next tokens (RFC 6749 §6). Each one replaces the previous one, which can be retried only until the new one is used.'
    })
  )
})
export type TokenResponse = Static<typeof TokenResponse>
