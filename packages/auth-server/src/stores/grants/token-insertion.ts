import type { Mode } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { UnknownOutcomeError, type Steps } from '@frontdesk/database/steps'
import { columnNames, columns } from '@frontdesk/database/table'
import { refreshToken } from '../../generated/tables.js'
import { retryInBackground } from '../background-retry.js'
import { createTokenRecord } from './issued-tokens.js'
import type { Refreshed } from './refresh-family.js'

/** The tokens that the exchange of a code creates. */
export interface NewTokens {
  /** The first refresh token of the grant; `null`: none. */
  readonly refreshToken: {
    readonly hash: string
    readonly familyHash: string
    /** Thumbprint of the DPoP key that its family is bound to; `null`: none. */
    readonly dpopJkt?: string | null
    readonly expiresAt: Date
    readonly endsAt: Date
  } | null
  /** Expiry of the grant's last token. */
  readonly grantEndsAt: Date
  /** Latest expiry of its first access token. */
  readonly tokensEndAt: Date
}

/** A spent code, and the tokens that it is exchanged for. */
interface Spent extends Omit<Refreshed, 'notBefore' | 'withheld'> {
  readonly clientId: string
  readonly newTokens: NewTokens
  readonly now: Date
}

/**
 * Makes the steps after codes are spent, in the same transaction: they extend the grants, and add the refresh tokens. They return
 * the ids of the grants that are not revoked: no others can issue tokens.
 */
export function createTokenInsertion (connection: Connection): (spent: readonly Spent[]) => Steps<Set<string>> {
  const { spent: _, ...entry } = refreshToken.columns
  const family = listStatement(connection, {
    entry,
    sql: entries => `
      INSERT INTO refresh_token (spent, ${columnNames(entry)}) SELECT DISTINCT '[]', ${columns(entry, 'entry')} FROM ${entries}`
  })
  const record = createTokenRecord(connection)
  return function * steps (spent) {
    const live = yield * record(spent.map(({ grantId, newTokens }) => ({ grantId, ...newTokens })))
    yield * family.step(spent.flatMap(({ newTokens: { refreshToken }, now, ...granted }) =>
      refreshToken === null || !live.has(granted.grantId) ? [] : [{ dpopJkt: null, ...granted, ...refreshToken, createdAt: now }]))
    return live
  }
}

/** How codes are exchanged. */
interface Exchange<C, A> {
  readonly table: 'authorization_code' | 'device_code'
  readonly hashOf: (code: C) => string
  /** The steps of the transaction. They return results by the code's hash. */
  readonly steps: (codes: readonly C[]) => Steps<Map<string, A>>
  /** Whether a code was exchanged for tokens. */
  readonly isMade: (result: A | undefined) => boolean
}

/** Makes the exchange of codes in one transaction. If its outcome is unknown, the codes and their tokens are deleted. */
export function createExchange<C extends { readonly newTokens: NewTokens }, A> (
  connection: Connection,
  { table, hashOf, steps, isMade }: Exchange<C, A>
): (codes: C[], mode: Mode) => Promise<Map<string, A>> {
  const deleteUncertain = createUncertainDeletion(connection, table)
  return async (codes, mode) => {
    let results = new Map<string, A>()
    try {
      await connection.transact(function * () { results = yield * steps(codes) }, mode)
      return results
    } catch (error) {
      if (error instanceof UnknownOutcomeError) {
        // No others: the row of a used code distinguishes a replay from a retry.
        const unknown = codes.filter(code => isMade(results.get(hashOf(code))))
        if (unknown.length > 0) {
          await deleteUncertain(unknown.map(code => ({ hash: hashOf(code), familyHash: code.newTokens.refreshToken?.familyHash ?? null })))
        }
      }
      throw error
    }
  }
}

/**
 * Deletes codes and their refresh tokens after a transaction with an unknown outcome: no client has received the tokens, and its
 * retry must not look like reuse of a stolen code. If all retries fail, the codes stay spent: reuse of one revokes a grant without tokens.
 */
function createUncertainDeletion (
  connection: Connection,
  table: 'authorization_code' | 'device_code'
): (exchanges: ReadonlyArray<{ hash: string, familyHash: string | null }>) => Promise<void> {
  // Both wait for the transaction's lock, if it is still open.
  const deletion = (table: string, key: string) => listStatement(connection, {
    entry: { hash: 'string' },
    sql: entries => `DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${key} IN (SELECT entry.hash FROM ${entries}) ${lockInOrder(connection, key)})`
  })
  const codes = deletion(table, 'hash')
  const families = deletion('refresh_token', 'family_hash')
  return async exchanges => {
    const made = exchanges.flatMap(({ familyHash }) => familyHash === null ? [] : [{ hash: familyHash }])
    await retryInBackground(() => connection.transact(function * () {
      yield * codes.step(exchanges)
      yield * families.step(made)
    }))
  }
}
