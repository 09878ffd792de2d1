import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { UnknownOutcome, type Steps } from '@frontdesk/database/steps'
import { columnNames, columns } from '@frontdesk/database/table'
import { isUnavailable } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import pRetry from 'p-retry'
import { refreshToken } from '../../generated/tables.js'
import { recordIssuedTokens } from './issued-tokens.js'
import type { Refreshed } from './refresh-family.js'

/** What the exchange of a code creates. */
export interface NewTokens {
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
interface Spent extends Omit<Refreshed, 'notBefore' | 'withheld'> {
  readonly clientId: string
  readonly yields: NewTokens
  readonly now: Date
}

/**
 * Makes the steps after codes are spent, in the same transaction: they extend the grants, and add the refresh tokens. They return
 * the ids of the grants that are not revoked: no other gives tokens.
 */
export function createTokenInsertion (connection: Connection): (spent: readonly Spent[]) => Steps<Set<string>> {
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

/** How long a response waits for the removal, in milliseconds: errors are due 3 s after their request. */
const MAX_WAIT_MS = 500

/** Backoff of the retries, in milliseconds. */
const RETRIES = { minTimeout: 100, maxTimeout: 500, maxRetryTime: 120_000, retries: 1_000, unref: true }

/** How codes are exchanged. */
interface Exchange<C, A> {
  readonly table: 'authorization_code' | 'device_code'
  readonly hashOf: (code: C) => string
  /** The steps of the transaction. They return the result of each code, by its hash. */
  readonly steps: (codes: readonly C[]) => Steps<Map<string, A>>
  /** Whether a code was exchanged for tokens. */
  readonly isMade: (result: A | undefined) => boolean
}

/** Makes the exchange of codes in one transaction. If its outcome is unknown, the codes and their tokens are deleted. */
export function createExchange<C extends { readonly yields: NewTokens }, A> (
  connection: Connection,
  { table, hashOf, steps, isMade }: Exchange<C, A>
): (codes: C[], mode: { readonly isShared: boolean }) => Promise<Map<string, A>> {
  const deleteUncertain = createUncertainDeletion(connection, table)
  return async (codes, mode) => {
    let results = new Map<string, A>()
    try {
      await connection.transact(function * () { results = yield * steps(codes) }, mode)
      return results
    } catch (error) {
      if (error instanceof UnknownOutcome) {
        // Only these: the row of a used code distinguishes a replay from a retry.
        const unknown = codes.filter(code => isMade(results.get(hashOf(code))))
        if (unknown.length > 0) {
          await deleteUncertain(unknown.map(code => ({ hash: hashOf(code), familyHash: code.yields.refreshToken?.familyHash ?? null })))
        }
      }
      throw error
    }
  }
}

/**
 * Removes codes, of one table, and their refresh tokens after a transaction with an unknown outcome: no client has received them, and its
 * retry must not look like reuse of a stolen code. Resolves after at most {@link MAX_WAIT_MS}; retries continue in the background.
 */
function createUncertainDeletion (
  connection: Connection,
  table: 'authorization_code' | 'device_code'
): (exchanges: ReadonlyArray<{ hash: string, familyHash: string | null }>) => Promise<void> {
  // Both wait for the lock of the transaction, if it is still open.
  const removalOf = (table: string, key: string) => listStatement(connection, {
    entry: { hash: 'string' },
    sql: entries => `DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${key} IN (SELECT entry.hash FROM ${entries}) ${lockInOrder(connection, key)})`
  })
  const codes = removalOf(table, 'hash')
  const families = removalOf('refresh_token', 'family_hash')
  return async exchanges => {
    const made = exchanges.flatMap(({ familyHash }) => familyHash === null ? [] : [{ hash: familyHash }])
    const removal = pRetry(() => connection.transact(function * () {
      yield * codes.step(exchanges)
      yield * families.step(made)
    }), { ...RETRIES, shouldRetry: ({ error }) => isUnavailable(error) })
    // If all retries fail, the codes stay spent, and the reuse of one revokes a grant without tokens.
    const ended = removal.catch(() => {})
    await Promise.race([ended, setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
  }
}
