import type { Customers } from '../customers/customer-record.js'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** Rows a statement: a small one holds up nobody. */
const BATCH = 500

/** How long work that is done every five minutes is that of its holder, in seconds: until it has missed its turn. */
const TURN = 7.5 * 60

/** Removes keys that have ended, by the one process that holds the lease. */
export function forgetAttempts (connection: Connection, clock: Pick<Clock, 'settled'>): Customers['forgetAttempts'] {
  const takeTurn = leases(connection, { seconds: TURN, takenAt: true })
  const forget = new ValuesStatement(connection, list => `
    DELETE FROM idempotency_key WHERE hash IN (
      SELECT hash FROM idempotency_key, (${list}) AS time WHERE expires_at <= time.column1 ORDER BY expires_at LIMIT ${BATCH}
    ) RETURNING hash`, ['datetime'])

  return async (caller, given) => {
    const until = given ?? await clock.settled()
    if (!await takeTurn('clean-up', caller)) return null
    let total = 0
    if (until === null) return total
    let rows
    do {
      rows = (await forget.run([[until]])).length
      total += rows
    } while (rows === BATCH)
    return total
  }
}
