import type { Customers } from '../customers.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'

/** Rows a statement: a small one holds up nobody. */
const BATCH = 500

/** Removes keys that have ended, by the one process that holds the lease. */
export function forgetAttempts (connection: Connection): Customers['forgetAttempts'] {
  const takeTurn = new ListStatement(connection, list => `
    INSERT INTO lease (name, holder, taken_at, ends_at) ${list}
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, taken_at = excluded.taken_at, ends_at = excluded.ends_at
    WHERE lease.holder = excluded.holder OR lease.ends_at <= excluded.taken_at RETURNING name`, ['string', 'string', 'datetime', 'datetime'])
  const forget = new ListStatement(connection, list => `
    DELETE FROM idempotency_key WHERE hash IN (
      SELECT hash FROM idempotency_key, (${list}) AS time WHERE expires_at <= time.column1 ORDER BY expires_at LIMIT ${BATCH}
    ) RETURNING hash`, ['datetime'])

  return async (caller, now, until) => {
    if ((await takeTurn.run([['clean-up', caller, now, until]])).length === 0) return null
    let total = 0
    let rows
    do {
      rows = (await forget.run([[now]])).length
      total += rows
    } while (rows === BATCH)
    return total
  }
}
