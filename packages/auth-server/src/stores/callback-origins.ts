import type { Connection } from '@frontdesk/database/connection'
import { join, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { loopbackHost } from '../oauth/loopback.js'

/** Finds out whether an origin is that of a callback of an enabled client: it reads a few places of an index. */
export function createOriginSearch (connection: Connection): (origin: string) => Promise<boolean> {
  // The order of the index, whatever the collation of the database.
  const uri = raw(connection.dialect === 'postgresql' ? 'uri COLLATE "C"' : 'uri')
  // Its order makes PostgreSQL read the index for any values: it would else hope for an early match, and read the table.
  const firstWhere = (condition: Sql) => sql`SELECT uri FROM (
    SELECT uri FROM client_callback JOIN client ON client.id = client_id WHERE disabled_at IS NULL AND ${condition} ORDER BY ${uri} LIMIT 1
  ) AS first`
  /** SQL of the callbacks that are the address, or begin with it and then one of these characters. */
  const begins = (address: string, ends: readonly string[]) => [
    sql`${uri} = ${address}`,
    ...ends.map(end => sql`${uri} >= ${address + end} AND ${uri} < ${address + after(end)}`)
  ]
  return async origin => {
    // Only these characters occur in an origin.
    if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)) return false
    const host = loopbackHost(origin)
    const conditions = [
      ...begins(origin, ['/', '?']),
      ...(host === undefined ? [] : begins(host, ['/', '?', ':']).map(condition => sql`native AND ${condition}`))
    ]
    const found = await query(connection, { uri: 'string' }, join(conditions.map(firstWhere), ' UNION ALL '))
    return found.length > 0
  }
}

/** The next character. */
function after (character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 1)
}
