import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockRows } from '@frontdesk/database/lock-order'
import type { Steps } from '@frontdesk/database/steps'

/** An access token that is about to be issued. */
interface IssuedToken {
  readonly grantId: string
  /** Its latest expiry. */
  readonly tokensEndAt: Date
  /** Expiry of the grant's last token, including refresh tokens; `null`: unchanged. */
  readonly grantEndsAt: Date | null
}

/**
 * Makes the step that records access tokens with their grants. It returns the ids of the grants that are not revoked: no others
 * can issue tokens. It locks the grants, so that a revocation either comes first, or knows when the last access token expires.
 */
export function createTokenRecord (connection: Connection): (tokens: readonly IssuedToken[]) => Steps<Set<string>> {
  const later = (column: string, time: string) => `CASE WHEN ${column} > ${time} THEN ${column} ELSE ${time} END`
  const record = listStatement(connection, {
    entry: { grantId: 'string', tokensEndAt: 'datetime', grantEndsAt: 'datetime?' },
    sql: entries => `
      UPDATE access_grant SET tokens_end_at = ${later('access_grant.tokens_end_at', 'entry.tokens_end_at')},
        expires_at = ${later('expires_at', 'COALESCE(entry.grant_ends_at, expires_at)')}
      FROM ${lockRows(connection, entries, { table: 'access_grant', key: 'id', on: 'id = entry.grant_id' })}
      WHERE id = entry.grant_id AND revoked_at IS NULL RETURNING id`,
    row: { id: 'string' }
  })
  return function * (tokens) {
    // One entry per grant: an UPDATE changes each row once.
    const latest = new Map<string, IssuedToken>()
    const inOrder = tokens.toSorted((one, other) => one.tokensEndAt.getTime() - other.tokensEndAt.getTime())
    for (const token of inOrder) latest.set(token.grantId, token)
    return new Set((yield * record.step([...latest.values()])).map(({ id }) => id))
  }
}
