import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** An access token that a grant is about to give. */
export interface IssuedToken {
  readonly grantId: string
  /** When it expires, at the latest. */
  readonly tokensEndAt: Date
  /** When the last token of the grant expires, refresh tokens too; `null`: that does not change. */
  readonly grantEndsAt: Date | null
}

/**
 * Makes the step that records access tokens with their grants, and returns the ids of those that are not revoked: no other may
 * give a token. It locks the grants, so that a revocation either comes first, or knows when the last access token expires.
 */
export function recordIssuedTokens (connection: Connection): (tokens: readonly IssuedToken[]) => Steps<Set<string>> {
  const later = (column: string, time: string) => `CASE WHEN ${column} > ${time} THEN ${column} ELSE ${time} END`
  const record = new ValuesStatement(connection, list => `
    UPDATE access_grant SET tokens_end_at = ${later('tokens_end_at', 'column2')}, expires_at = ${later('expires_at', 'COALESCE(column3, expires_at)')}
    FROM (${lockingList(connection, list, { table: 'access_grant', key: 'id', on: 'id = column1' })}) AS issued
    WHERE id = column1 AND revoked_at IS NULL RETURNING id`, ['string', 'datetime', 'datetime'], { id: 'string' })
  return function * (tokens) {
    if (tokens.length === 0) return new Set()
    // One row for each grant: an UPDATE changes a row once.
    const latest = new Map<string, IssuedToken>()
    const inOrder = tokens.toSorted((one, other) => one.tokensEndAt.getTime() - other.tokensEndAt.getTime())
    for (const token of inOrder) latest.set(token.grantId, token)
    const rows = [...latest.values()].map(({ grantId, tokensEndAt, grantEndsAt }) => [grantId, tokensEndAt, grantEndsAt])
    return new Set((yield * record.step(rows)).map(({ id }) => id))
  }
}
