import { databaseTime } from './clock.js'
import type { Connection } from './connection.js'
import { ValuesStatement } from './values-statement.js'

/** Tolerance for the end of a lease, in seconds. A lease that ends later than its length and this was written by a wrong clock. */
const TOLERANCE = 60

/**
 * Makes the statement that acquires or renews a lease. Atomic: exactly one concurrent caller gets `true`. Only the
 * database's clock counts; a lease with an impossibly late end is free.
 * @param seconds length of a lease
 * @param takenAt whether the table has a column `taken_at`
 */
export function leases (
  connection: Connection,
  { seconds, takenAt }: { seconds: number, takenAt: boolean }
): (name: string, holder: string) => Promise<boolean> {
  const [now, end, impossible] = [0, seconds, seconds + TOLERANCE].map(it => databaseTime(connection, it))
  const statement = new ValuesStatement(connection, list => `
    INSERT INTO lease (name, holder, ends_at${takenAt ? ', taken_at' : ''})
    SELECT column1, column2, ${end}${takenAt ? `, ${now}` : ''} FROM (${list}) AS wanted WHERE true
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at${takenAt ? ', taken_at = excluded.taken_at' : ''}
    WHERE lease.holder = excluded.holder OR lease.ends_at <= ${now} OR lease.ends_at > ${impossible} RETURNING name`, ['string', 'string'])
  return async (name, holder) => (await statement.run([[name, holder]])).length === 1
}
