import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { recordIssuedTokens } from './issued-tokens.js'
import type { Refreshed } from './refresh-family.js'

/** What the exchange of a code creates. */
export interface CodeYield {
  /** The first refresh token of the grant; `null`: none. */
  readonly refreshToken: {
    readonly hash: string
    readonly familyHash: string
    /** Thumbprint of the key that its family is bound to; `null`: none. */
    readonly dpopJkt?: string | null
    readonly expiresAt: Date
    readonly endsAt: Date
  } | null
  /** When the last token of the grant expires. */
  readonly grantEndsAt: Date
  /** When its first access token expires, at the latest. */
  readonly tokensEndAt: Date
}

/** A code that was spent, and what it is exchanged for. */
export interface Spent extends Omit<Refreshed, 'notBefore' | 'withheld'> {
  readonly clientId: string
  readonly yields: CodeYield
  readonly now: Date
}

/**
 * Makes the steps after codes are spent, in the same transaction: they extend the grants, and add the refresh tokens. They return
 * the ids of the grants that are not revoked: no other gives tokens.
 */
export function createGrantYield (connection: Connection): (spent: readonly Spent[]) => Steps<Set<string>> {
  const family = new ValuesStatement(connection, list => `
    INSERT INTO refresh_token (spent, family_hash, hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at, dpop_jkt, sid)
    SELECT DISTINCT '[]', first_token.* FROM (${list}) AS first_token`,
  ['string', 'string', 'string', 'string', 'string', 'string', 'string', 'datetime', 'datetime', 'datetime', 'datetime', 'string', 'string'])
  const record = recordIssuedTokens(connection)
  return function * steps (spent) {
    const live = yield * record(spent.map(({ grantId, yields: { tokensEndAt, grantEndsAt } }) => ({ grantId, tokensEndAt, grantEndsAt })))
    const families = spent.flatMap(({ yields: { refreshToken }, clientId, now, ...granted }) => {
      if (refreshToken === null || !live.has(granted.grantId)) return []
      const { grantId, userId, scope, audience, authTime, sid } = granted
      const { hash, familyHash, expiresAt, endsAt, dpopJkt = null } = refreshToken
      return [[familyHash, hash, grantId, clientId, userId, scope, audience, authTime, now, expiresAt, endsAt, dpopJkt, sid]]
    })
    if (families.length > 0) yield family.query(families)
    return live
  }
}
