import type { SigningAlg } from '@frontdesk/schemas/jwks'

/** A registered application (RFC 6749 §2). */
export interface Client {
  readonly id: string
  readonly name: string
  /** Name of its logo, which changes with the content; `null` without one. */
  readonly logoName: string | null
  /** Registered callbacks, byte for byte. */
  readonly callbacks: readonly string[]
  /** Resources that it may request (RFC 8707), in addition to the server's default. */
  readonly resources: readonly string[]
  /** Where it may have the browser sent after sign-out, byte for byte (OpenID Connect RP-Initiated Logout §3). */
  readonly postLogoutRedirectUris: readonly string[]
  /** Space-separated scopes of a request without a scope. */
  readonly defaultScope: string
  /** Space-separated scopes that it can request; `null`: any. */
  readonly allowedScope: string | null
  /** Lifetime of its access tokens in seconds; `null`: the server's default. */
  readonly accessTokenTtl: number | null
  /** Whether it can use the implicit grant: `warn` deprecates it, `until` sets its end, too. */
  readonly implicit: 'allowed' | 'warn' | 'until' | 'off'
  /** When the implicit grant was deprecated for it; `null`: not deprecated. */
  readonly implicitDeprecatedAt: Date | null
  /** When the implicit grant ends for it; `null` unless `implicit` is `until`. */
  readonly implicitUntil: Date | null
  /** Grant types that it may use at the token endpoint (RFC 7591 §2). For the implicit grant, see `implicit`. */
  readonly grantTypes: readonly string[]
  /** How it authenticates at the token endpoint (RFC 7591 §2); `none`: a public client. */
  readonly tokenEndpointAuthMethod: string
  /** Whether its requests for a code need a code challenge (RFC 7636). `optional` has no effect on a public client. */
  readonly pkce: 'required' | 'optional'
  /** Whether it must push its authorization requests (RFC 9126 §6). */
  readonly requirePushedAuthorizationRequests: boolean
  /** Whether its access tokens must be bound to a key of its own (RFC 9449 §5.2). */
  readonly dpopBoundAccessTokens: boolean
  /** Additional rules: those of the FAPI 2.0 Security Profile; `null`: none. */
  readonly profile: 'fapi2' | null
  /** When it last exchanged a code without a code verifier, to the hour; `null`: never. */
  readonly withoutPkceAt: Date | null
  /** JSON of the JWK Set that verifies its assertions (RFC 7523 §3); `null` without one. */
  readonly jwks: string | null
  /** Where it publishes this set, instead of `jwks`; `null`: nowhere. */
  readonly jwksUri: string | null
  /** What signs its ID tokens (OpenID Connect Dynamic Client Registration §2). */
  readonly idTokenSignedResponseAlg: SigningAlg
  /** Whether ID tokens from the token endpoint have the claims of granted scopes, as `/userinfo` has them (OpenID Connect Core §5.4). */
  readonly idTokenClaims: boolean
  /** Algorithm that signs its /userinfo responses (OpenID Connect Core §5.3.2); `null`: none, they are JSON. */
  readonly userinfoSignedResponseAlg: SigningAlg | null
  /** Clients of one sector get the same pairwise `sub` of a person (OpenID Connect Core §8.1); `null`: the public one. */
  readonly sectorIdentifier: string | null
  /** Secret of the sector, base64url; `null` without one. */
  readonly pairwiseSalt: string | null
  /** JSON of {@link ClientLinks}, as it registered itself; `null`: none. */
  readonly links: string | null
  /** Where it gets logout tokens (OpenID Connect Back-Channel Logout §2.2); `null`: it gets none. */
  readonly backchannelLogoutUri: string | null
  /** Whether it needs `sid` in logout tokens. All have one. */
  readonly backchannelLogoutSessionRequired: boolean
  /** A native app on a user's machine: its loopback callbacks match with any port (RFC 8252 §7.3). */
  readonly native: boolean
  readonly demo: boolean
  /** `operator`; or itself, with an initial access token, without one (RFC 7591), or by a client ID metadata document. */
  readonly registeredBy: 'operator' | 'token' | 'open' | 'document'
  /** When its metadata document was fetched; `null`: it has none. */
  readonly documentFetchedAt: Date | null
  /** When this document is to be fetched again; `null`: it has none, or its publisher has withdrawn it. */
  readonly documentFreshUntil: Date | null
  /** When a person last allowed it access, to the day; `null`: never, or it did not register itself. */
  readonly usedAt: Date | null
  /** When it was disabled; `null` if it is not. */
  readonly disabledAt: Date | null
  readonly createdAt: Date
}
