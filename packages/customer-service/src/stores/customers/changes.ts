import type { Versions } from '../../input/etag.js'
import type { Change } from './customer-record.js'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { keyOf } from './statements.js'

/** Changes one customer, if it has one of the versions; answers whether it did. */
export function changes (connection: Connection, clock: Pick<Clock, 'now'>): (id: number, change: Change, versions: Versions) => Promise<boolean> {
  const write = (condition: string) => new ValuesStatement(connection, list => `
    UPDATE customer SET name = COALESCE(change.column3, name), name_key = COALESCE(change.column4, name_key),
      age = COALESCE(change.column5, age), address = COALESCE(change.column6, address), version = version + 1, updated_at = change.column7
    FROM (${list}) AS change WHERE id = change.column1 ${condition} RETURNING id`, ['int', 'int', 'string', 'string', 'int', 'string', 'datetime'])
  const whichever = write('')
  const ifVersion = write('AND version = change.column2')

  return async (id, { name, age, address }, versions) => {
    const key = name === undefined ? null : keyOf(name)
    const row = (version: number) => [id, version, name ?? null, key, age ?? null, address ?? null, clock.now()]
    // A row for each version, of which the customer has at most one.
    if (versions === 'any') return (await whichever.run([row(0)])).length === 1
    return versions.length > 0 && (await ifVersion.run(versions.map(row))).length === 1
  }
}
