import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import type { KeyRing } from '../keys/key-ring.js'
import { LATEST_NOT_BEFORE } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { asksForIdToken } from '../oauth/openid-scopes.js'
import { scopeOf } from '../oauth/scope.js'
import { subjectOf } from '../oauth/subject.js'
import type { TokenResponse } from '../oauth/token-response.js'
import type { Profiles } from '../stores/users/profiles.js'
import { mintAccessToken, type AccessTokenContent } from './access-token.js'
import { claimsForIdToken } from './claims.js'
import { mintIdToken } from './id-token.js'

/** An access token to issue at the token endpoint. */
interface Issue extends Pick<AccessTokenContent, 'audience' | 'scope' | 'authTime' | 'grantType' | 'grantId' | 'jkt'> {
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
  /** With an ID token if the scope has `openid`. @param notBefore earliest `iat` of the access token; `null`: any */
  issue (what: Issue, now: Date, notBefore: Date | null): Promise<TokenResponse>
  /** Expiry of an access token of the client. */
  end (client: Client, now: Date): Date
  /** Latest expiry of an access token that the client is given now. */
  latestEnd (client: Client, now: Date): Date
  /** Idle expiry of a refresh token. */
  idleEnd (now: Date): Date
  /** Absolute expiry of a family of refresh tokens. */
  familyEnd (now: Date): Date
}

/** Makes the token issuer of the token endpoint (RFC 6749 §5.1). */
export function createTokenIssuer (
  parts: { keys: KeyRing, idTokens: IdTokenSigner, profiles: Pick<Profiles, 'find'> } & Pick<Config, 'issuer' | 'accessTokenTtl' | 'refreshTokenTtl' | 'refreshTokenIdleTtl'>
): TokenIssuer {
  const { keys, idTokens, profiles, issuer, accessTokenTtl, refreshTokenTtl, refreshTokenIdleTtl } = parts
  const ttlOf = (client: Client) => client.accessTokenTtl ?? accessTokenTtl
  return {
    end: (client, now) => after(now, ttlOf(client)),
    latestEnd: (client, now) => latestEnd(now, ttlOf(client)),
    idleEnd: now => after(now, Math.min(refreshTokenIdleTtl, refreshTokenTtl)),
    familyEnd: now => after(now, refreshTokenTtl),
    async issue ({ client, userId, nonce, sid, ...content }, now, notBefore) {
      const ttl = ttlOf(client)
      const subject = userId === null ? client.id : subjectOf(client, userId)
      const claims = { ...content, subject, issuer, clientId: client.id, jti: randomUUID() }
      const accessToken = mintAccessToken(keys, claims, issueTime(now, notBefore), ttl)
      const type = content.jkt === undefined ? 'Bearer' : 'DPoP'
      const answer = { access_token: accessToken, token_type: type, expires_in: ttl, ...scopeOf(content.scope) } as const
      const { scope, authTime } = content
      if (userId === null || authTime === undefined || !asksForIdToken(scope)) return answer
      const person = { issuer, subject, client, authTime, claims: await claimsForIdToken(profiles, userId, scope, client.idTokenClaims) }
      return { ...answer, id_token: await mintIdToken(idTokens, { ...person, nonce, sid, accessToken }, now, ttl) }
    }
  }
}

function after (time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/**
 * The `iat` of an access token: now, or a few seconds later if access was revoked just before, since tokens with an `iat`
 * before `notBefore` are revoked as a group. Bounded, so that a revocation that follows covers this token, too.
 */
export function issueTime (now: Date, notBefore: Date | null): Date {
  if (notBefore === null || notBefore < now) return now
  return new Date(Math.min(notBefore.getTime(), now.getTime() + (LATEST_NOT_BEFORE - 1) * 1_000))
}

/** When an access token that is issued now expires, whatever {@link issueTime} it gets. @param ttl its lifetime, in seconds */
export function latestEnd (now: Date, ttl: number): Date {
  return new Date(now.getTime() + (LATEST_NOT_BEFORE + ttl) * 1_000)
}
