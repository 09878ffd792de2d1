import { ACCESS_TOKEN_TYPE, type AccessToken } from '@frontdesk/schemas/access-token'
import type { KeyRing } from '../keys/key-ring.js'
import { numericDate } from '../lifetimes.js'
import { authenticationClaims, type Authentication } from '../oauth/authentication.js'
import type { Claims } from './claims.js'

/** The claims of an access token, without times. */
export interface AccessTokenContent {
  readonly issuer: string
  /** The resource owner, as the client knows them, or the client's id if it acts on its own behalf (RFC 9068 §2.2). */
  readonly subject: string
  readonly audience: string
  readonly clientId: string
  readonly scope: readonly string[]
  /** How the resource owner signed in; `undefined` without one. */
  readonly authentication: Authentication | undefined
  readonly grantType: string
  readonly jti: string
  /** Id of the grant, if it can issue more tokens. */
  readonly grantId?: string
  /** Thumbprint of the DPoP key that it is bound to (RFC 9449 §6.1); `undefined`: a bearer token. */
  readonly jkt?: string | undefined
  /** Claims about the resource owner. */
  readonly claims?: Claims
}

/** Makes an access token (RFC 9068 §2). @param ttl in seconds */
export function mintAccessToken (keys: KeyRing, content: AccessTokenContent, now: Date, ttl: number): string {
  const iat = numericDate(now)
  const claims: AccessToken = {
    ...content.claims,
    iss: content.issuer,
    sub: content.subject,
    aud: content.audience,
    client_id: content.clientId,
    scope: content.scope.join(' '),
    iat,
    exp: iat + ttl,
    jti: content.jti,
    ...(content.authentication !== undefined && authenticationClaims(content.authentication)),
    gty: content.grantType,
    ...(content.grantId !== undefined && { grant_id: content.grantId }),
    ...(content.jkt !== undefined && { cnf: { jkt: content.jkt } })
  }
  return keys.sign(claims, ACCESS_TOKEN_TYPE)
}
