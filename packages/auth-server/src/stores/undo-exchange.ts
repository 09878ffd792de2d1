import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { isUnavailable } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import pRetry from 'p-retry'

/** How long a response waits for the removal, in milliseconds: errors are due 3 s after their request. */
const MAX_WAIT_MS = 500

/** Backoff of the retries, in milliseconds. */
const RETRIES = { minTimeout: 100, maxTimeout: 500, maxRetryTime: 120_000, retries: 1_000, unref: true }

/**
 * Removes codes, of one table, and their refresh tokens after a transaction with an unknown outcome: no client has received them, and its
 * retry must not look like reuse of a stolen code. Resolves after at most {@link MAX_WAIT_MS}; retries continue in the background.
 */
export function createUndo (
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
