import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import type { KeyRing } from '../keys/key-ring.js'
import { after, LATEST_NOT_BEFORE } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { asksForIdToken } from '../oauth/openid-scopes.js'
import { scopeOf } from '../oauth/scope.js'
import { subjectOf } from '../oauth/subject.js'
import type { TokenResponse } from '../oauth/token-response.js'
import type { Profiles } from '../stores/users/profiles.js'
import { mintAccessToken, type AccessTokenContent } from './access-token.js'
import { accessTokenScope, idTokenScope, userClaims } from './claims.js'
import { mintIdToken } from './id-token.js'

/** The content of a token response. */
interface TokenContent extends Pick<AccessTokenContent, 'audience' | 'scope' | 'authentication' | 'grantType' | 'grantId' | 'jkt'> {
  readonly client: Client
  /** The resource owner; `null` if the client acts on its own behalf. */
  readonly userId: string | null
  /** `nonce` of the authorization request, for the ID token; `null`: none. */
  readonly nonce: string | null
  /** `sid` of the ID token; `null`: none. */
  readonly sid: string | null
}

/** Issues token responses, and computes expiry times. */
export interface TokenIssuer {
  /** Issues an ID token, too, if the scope has `openid`. @param notBefore earliest `iat` of the access token; `null`: any */
  issue (content: TokenContent, now: Date, notBefore: Date | null): Promise<TokenResponse>
  /** Expiry of the client's access token. */
  end (client: Client, now: Date): Date
  /** Latest expiry of an access token that is issued to the client now. */
  latestEnd (client: Client, now: Date): Date
  /** Idle expiry of a refresh token. */
  idleEnd (now: Date): Date
  /** Absolute expiry of a family of refresh tokens. */
  familyEnd (now: Date): Date
}

interface Parts extends Pick<Config, 'issuer' | 'accessTokenTtl' | 'refreshTokenTtl' | 'refreshTokenIdleTtl' | 'rolesClaim'> {
  keys: KeyRing
  idTokens: IdTokenSigner
  profiles: Pick<Profiles, 'find'>
}

/** Makes the token issuer of the token endpoint (RFC 6749 §5.1). */
export function createTokenIssuer (
  { keys, idTokens, profiles, issuer, accessTokenTtl, refreshTokenTtl, refreshTokenIdleTtl, rolesClaim }: Parts
): TokenIssuer {
  const tokenTtl = (client: Client) => client.accessTokenTtl ?? accessTokenTtl
  return {
    end: (client, now) => after(now, tokenTtl(client)),
    latestEnd: (client, now) => latestEnd(now, tokenTtl(client)),
    idleEnd: now => after(now, Math.min(refreshTokenIdleTtl, refreshTokenTtl)),
    familyEnd: now => after(now, refreshTokenTtl),
    async issue ({ client, userId, nonce, sid, ...content }, now, notBefore) {
      const ttl = tokenTtl(client)
      const subject = userId === null ? client.id : subjectOf(client, userId)
      const { scope, authentication } = content
      const hasIdToken = authentication !== undefined && asksForIdToken(scope)
      const [inAccessToken, inIdToken] = [accessTokenScope(scope), hasIdToken ? idTokenScope(scope, client.idTokenClaims) : []]
      // Without a lookup if there are no claims.
      const profile = userId === null || inAccessToken.length + inIdToken.length === 0 ? null : await profiles.find(userId)
      const claimsOf = (some: readonly string[]) => profile === null ? {} : userClaims(profile, some, 'id_token', rolesClaim)
      const access = { ...content, subject, issuer, clientId: client.id, jti: randomUUID(), claims: claimsOf(inAccessToken) }
      const accessToken = mintAccessToken(keys, access, issueTime(now, notBefore), ttl)
      const type = content.jkt === undefined ? 'Bearer' : 'DPoP'
      const response = { access_token: accessToken, token_type: type, expires_in: ttl, ...scopeOf(content.scope) } as const
      if (userId === null || !hasIdToken) return response
      const user = { subject, authentication, claims: claimsOf(inIdToken) }
      return { ...response, id_token: await mintIdToken(idTokens, { issuer, client, ...user, nonce, sid, accessToken }, now, ttl) }
    }
  }
}
/**
 * The `iat` of an access token: now, or a few seconds later if access was just revoked, since tokens with an `iat` before `notBefore`
 * are revoked as a group. Limited, so that the next revocation covers this token, too.
 */
export function issueTime (now: Date, notBefore: Date | null): Date {
  if (notBefore === null || notBefore < now) return now
  const latest = after(now, LATEST_NOT_BEFORE - 1)
  return notBefore < latest ? notBefore : latest
}

/** Latest expiry of an access token that is issued now, for any {@link issueTime}. @param ttl its lifetime, in seconds */
export function latestEnd (now: Date, ttl: number): Date {
  return after(now, LATEST_NOT_BEFORE + ttl)
}
