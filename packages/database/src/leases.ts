import { databaseTime } from './clock.js'
import type { Connection } from './connection.js'
import { empty, query, raw, sql } from './sql.js'

/** Tolerance for the end of a lease. One that ends later was written by a wrong clock. */
const TOLERANCE_S = 60

/**
 * Creates a function that acquires or renews a lease. Atomic: exactly one concurrent caller gets `true`. Uses only the database's
 * clock; a lease with an impossibly late end is free.
 * @param seconds length of a lease
 * @param takenAt whether the table has the column `taken_at`
 */
export function leases (
  connection: Connection,
  { seconds, takenAt }: { seconds: number, takenAt: boolean }
): (name: string, holder: string) => Promise<boolean> {
  const [now, end, impossible] = [0, seconds, seconds + TOLERANCE_S].map(it => raw(databaseTime(connection, it)))
  const [column, value, change] = takenAt
    ? [raw(', taken_at'), sql`, ${now}`, raw(', taken_at = excluded.taken_at')]
    : [empty, empty, empty]
  return async (name, holder) => {
    const taken = await query(connection, { name: 'string' }, sql`
      INSERT INTO lease (name, holder, ends_at${column}) VALUES (${name}, ${holder}, ${end}${value})
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at${change}
      WHERE lease.holder = excluded.holder OR lease.ends_at <= ${now} OR lease.ends_at > ${impossible} RETURNING name`)
    return taken.length === 1
  }
}
