import type { Connection } from '@frontdesk/database/connection'
import { inBatches } from '@frontdesk/database/expired'
import { execute, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Retention } from '../../settings/retention.js'
import { markRemoved } from './feed-position.js'

const DAY_MS = 24 * 3_600_000

/** Conditions that each have an index. */
const VALUES = { kept: raw('COALESCE(before, after) IS NOT NULL'), none: raw('COALESCE(before, after) IS NULL') }

/** The recorded changes of customers. */
export function openChanges (connection: Connection, { historyDays, feedDays }: Retention) {
  return {
    /**
     * Removes changes that are neither in the history nor in the feed any more, and the values of those that only the feed
     * has, in small statements. Returns how many rows.
     * @param until the present time
     */
    async removeExpired (until: Date): Promise<number> {
      const before = (days: number) => new Date(until.getTime() - days * DAY_MS)
      const outOfHistory = (limit: number) => rowsOf(VALUES.kept, before(historyDays), limit)
      const outOfFeed = (limit: number) => rowsOf(VALUES.none, before(Math.max(historyDays, feedDays)), limit)
      const end = (rows: Sql) => feedDays > historyDays ? clear(rows) : connection.transact(() => remove(rows))
      return await inBatches(limit => end(outOfHistory(limit))) +
        await inBatches(limit => connection.transact(() => remove(outOfFeed(limit))))
    }
  }

  async function clear (rows: Sql): Promise<number> {
    return await execute(connection, sql`UPDATE customer_change SET before = NULL, after = NULL WHERE seq IN ${rows}`)
  }

  /** Atomic: a reader of the feed that comes too late finds the changes or learns that they were removed. */
  function * remove (rows: Sql): Steps<number> {
    const removed = yield * queryStep(connection, { position: 'int?' }, sql`
      DELETE FROM customer_change WHERE seq IN ${rows} RETURNING position`)
    yield * markRemoved(connection, removed.map(({ position }) => position))
    return removed.length
  }
}

function rowsOf (condition: Sql, until: Date, limit: number): Sql {
  return sql`(SELECT seq FROM customer_change WHERE ${condition} AND at <= ${until} ORDER BY at LIMIT ${raw(`${limit}`)})`
}
