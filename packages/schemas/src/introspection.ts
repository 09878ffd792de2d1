import { Type, type Static } from '@sinclair/typebox'
import { AccessToken } from './access-token.js'

/** Response of `POST /introspect` (RFC 7662 §2.2): only `active` if the token is invalid. */
export const Introspection = Type.Composite([
  Type.Object({
    active: Type.Boolean({ description: 'Whether the token is valid: known, not expired and not revoked.' }),
    token_type: Type.Optional(Type.String({ description: 'For an access token: `Bearer`, or `DPoP` if it is bound to a key.' }))
  }),
  Type.Partial(AccessToken)
])
export type Introspection = Static<typeof Introspection>
