import { ACCESS_TOKEN_TYPE, type AccessToken } from '@frontdesk/schemas/access-token'
import type { KeyRing } from '../keys/key-ring.js'

/** What an access token says, but for its times. */
export interface AccessTokenContent {
  readonly issuer: string
  /** The resource owner's id. */
  readonly subject: string
  readonly audience: string
  readonly clientId: string
  readonly scope: readonly string[]
  /** When the resource owner signed in. */
  readonly authTime: Date
  /** The grant that makes it. */
  readonly grantType: string
  readonly jti: string
}

/** Makes access tokens: RFC 9068 §2. `ttl` in seconds. */
export function mintAccessToken (keys: KeyRing, content: AccessTokenContent, now: Date, ttl: number): string {
  const iat = seconds(now)
  const claims: AccessToken = {
    iss: content.issuer,
    sub: content.subject,
    aud: content.audience,
    client_id: content.clientId,
    scope: content.scope.join(' '),
    iat,
    exp: iat + ttl,
    jti: content.jti,
    auth_time: seconds(content.authTime),
    gty: content.grantType
  }
  return keys.sign(claims, ACCESS_TOKEN_TYPE)
}

function seconds (time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
