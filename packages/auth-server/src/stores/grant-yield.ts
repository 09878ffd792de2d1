import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
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
}

/** A code that was spent, and what it is exchanged for. */
export interface Spent extends Omit<Refreshed, 'notBefore' | 'withheld'> {
  readonly clientId: string
  readonly yields: CodeYield
  readonly now: Date
}

/** Makes the steps after codes are spent, in the same transaction: they add the refresh tokens, and extend the grants. */
export function createGrantYield (connection: Connection): (spent: readonly Spent[]) => Steps<void> {
  const family = new ValuesStatement(connection, list => `
    INSERT INTO refresh_token (spent, family_hash, hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at, dpop_jkt, sid)
    SELECT DISTINCT '[]', first_token.* FROM (${list}) AS first_token`,
  ['string', 'string', 'string', 'string', 'string', 'string', 'string', 'datetime', 'datetime', 'datetime', 'datetime', 'string', 'string'])
  const extension = new ValuesStatement(connection, list => `
    UPDATE access_grant SET expires_at = column2
    FROM (${lockingList(connection, list, { table: 'access_grant', key: 'id', on: 'id = column1' })}) AS extension
    WHERE id = column1 AND expires_at < column2`, ['string', 'datetime'])
  return function * steps (spent) {
    const families = spent.flatMap(({ yields: { refreshToken }, clientId, now, ...granted }) => {
      if (refreshToken === null) return []
      const { grantId, userId, scope, audience, authTime, sid } = granted
      const { hash, familyHash, expiresAt, endsAt, dpopJkt = null } = refreshToken
      return [[familyHash, hash, grantId, clientId, userId, scope, audience, authTime, now, expiresAt, endsAt, dpopJkt, sid]]
    })
    if (families.length > 0) yield family.query(families)
    if (spent.length > 0) yield extension.query(spent.map(({ grantId, yields }) => [grantId, yields.grantEndsAt]))
  }
}
