import { createSealedJwts, MAX_AHEAD } from '../keys/sealed-jwt.js'
import { FORM_TOKEN_TTL } from '../lifetimes.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientAssertions } from '../stores/client-assertions.js'

/** What every reference begins with (RFC 9126 §2.2). */
export const REFERENCE_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/** A request that a client has pushed (RFC 9126). */
export interface PushedRequest {
  /** Single-use: the first decision spends it. */
  readonly id: string
  readonly clientId: string
  /** Its parameters, as a query string. */
  readonly query: string
}

/** The references to pushed requests: the `request_uri` is the encrypted request, so that nothing is stored. */
export interface PushedRequests {
  /** Makes the reference. */
  seal (request: Omit<PushedRequest, 'id'>, now: Date): Promise<string>
  /** Reads a reference of at most that age in seconds; `null` if it is older, or was not made here. */
  open (reference: string, maxAge: number, now: Date): Promise<PushedRequest | null>
  /** Atomic: spends a request until no page of it can be used any more. Returns `true` to exactly one concurrent caller. */
  spend (request: PushedRequest, now: Date): Promise<boolean>
}

/** Makes {@link PushedRequests}. The previous secret stays valid during a rotation. @param spent keeps the ids that are spent */
export function createPushedRequests (
  secrets: { secretKey: string, previousSecretKey?: string | undefined },
  spent: Pick<ClientAssertions, 'add'>
): PushedRequests {
  const jwts = createSealedJwts<{ jti: string, client_id: string, query: string }>(secrets, 'pushed requests')
  return {
    async seal ({ clientId, query }, now) {
      return REFERENCE_PREFIX + await jwts.seal({ jti: randomOpaqueToken(), client_id: clientId, query }, now)
    },
    async open (reference, maxAge, now) {
      const claims = await jwts.open(reference.slice(REFERENCE_PREFIX.length), maxAge, now)
      return claims && { id: claims.jti, clientId: claims.client_id, query: claims.query }
    },
    spend: async ({ id }, now) =>
      await spent.add(hashOpaqueToken(`pushed ${id}`), new Date(now.getTime() + (FORM_TOKEN_TTL + MAX_AHEAD) * 1_000))
  }
}
