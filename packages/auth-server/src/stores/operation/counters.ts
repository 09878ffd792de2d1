import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, query, raw, sql, type Sql } from '@frontdesk/database/sql'

const COUNTER = { key: 'string', points: 'int', expire: 'datetime' } as const

/** A counter of a rate limit. */
export type Counter = Row<typeof COUNTER>

const MAX_COUNTERS = 100

/** Opens the counters of the rate limits, by the beginning of their keys. */
export function openCounters (connection: Connection) {
  // The range finds them in the index, in every collation; the comparison is exact.
  const isBelow = (prefix: string): Sql =>
    sql`key >= ${prefix} AND key <= ${`${prefix}zzzz`} AND substr(key, 1, ${raw(String(prefix.length))}) = ${prefix}`
  return {
    /** The counters that have not expired, latest expiry first: at most {@link MAX_COUNTERS}. */
    find: (prefix: string): Promise<Counter[]> => query(connection, COUNTER, sql`
      SELECT key, points, expire FROM throttle WHERE ${isBelow(prefix)} AND points > 0 AND expire > ${raw(databaseTime(connection))}
      ORDER BY expire DESC LIMIT ${raw(String(MAX_COUNTERS))}`),
    /** Removes the counters. Returns how many; `null`: there were none. */
    remove: (...prefixes: readonly string[]): Promise<number | null> => connection.transact(function * () {
      let removed = 0
      for (const prefix of prefixes) removed += yield * executeStep(connection, sql`DELETE FROM throttle WHERE ${isBelow(prefix)}`)
      return removed || null
    })
  }
}
