import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'

/** Why no customer was changed. */
export type Mismatch =
  | { outcome: 'unknown' | 'version differs' | 'name differs' }
  /** `ids` are the lowest ten. */
  | { outcome: 'ambiguous', total: number, ids: number[] }

/** Finds why no customer with a name was changed; `null` if there is no reason any more. */
export async function findMismatchByName (connection: Connection, nameKey: string, versions: Versions): Promise<Mismatch | null> {
  const namesakes = await query(connection, { ...pick(customer, 'id', 'version'), total: 'int' }, sql`
    SELECT id, version, (SELECT COUNT(*) FROM customer WHERE name_key = ${nameKey}) FROM customer
    WHERE name_key = ${nameKey} ORDER BY id LIMIT 10`)
  const [first, second] = namesakes
  if (first === undefined) return { outcome: 'unknown' }
  if (second === undefined) return includes(versions, first.version) ? null : { outcome: 'version differs' }
  return { outcome: 'ambiguous', total: first.total, ids: namesakes.map(({ id }) => id) }
}

/** Finds why a customer with a number and a name was not changed; `null` if there is no reason any more. */
export async function findMismatchById (connection: Connection, id: number, nameKey: string, versions: Versions): Promise<Mismatch | null> {
  const [found] = await query(connection, pick(customer, 'nameKey', 'version'), sql`SELECT name_key, version FROM customer WHERE id = ${id}`)
  if (found === undefined) return { outcome: 'unknown' }
  if (found.nameKey !== nameKey) return { outcome: 'name differs' }
  return includes(versions, found.version) ? null : { outcome: 'version differs' }
}

/** Whether a condition allows a version. */
export function includes (versions: Versions, version: number): boolean {
  return versions === 'any' || versions.includes(version)
}
