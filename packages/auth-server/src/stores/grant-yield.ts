import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns } from '@frontdesk/database/table'
import { refreshToken } from '../generated/tables.js'
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
  const { spent: _, ...entry } = refreshToken.columns
  const family = listStatement(connection, {
    entry,
    sql: entries => `INSERT INTO refresh_token (spent, ${columnNames(entry)}) SELECT DISTINCT '[]', ${columns(entry, 'entry')} FROM ${entries}`
  })
  const record = recordIssuedTokens(connection)
  return function * steps (spent) {
    const live = yield * record(spent.map(({ grantId, yields: { tokensEndAt, grantEndsAt } }) => ({ grantId, tokensEndAt, grantEndsAt })))
    yield * family.step(spent.flatMap(({ yields: { refreshToken }, now, ...granted }) =>
      refreshToken === null || !live.has(granted.grantId) ? [] : [{ dpopJkt: null, ...granted, ...refreshToken, createdAt: now }]))
    return live
  }
}
