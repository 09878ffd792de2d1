import type { Connection } from '@frontdesk/database/connection'
import { expiring, inBatches, removeExpired } from '@frontdesk/database/expired'
import { execute, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { operation } from '../../generated/tables.js'
import { DAY_MS, type Retention } from '../../settings/retention.js'
import { markRemoved } from './feed-position.js'

/** Conditions with an index each. */
const VALUES = { kept: raw('COALESCE(before, after) IS NOT NULL'), none: raw('COALESCE(before, after) IS NULL') }

export function openChanges (connection: Connection, { historyDays, feedDays }: Retention) {
  return {
    /**
     * Removes changes that neither the history nor the feed keeps, the values of those that only the feed keeps, and operations that
     * the history does not keep, in small statements. Returns the number of changes.
     * @param until the present time
     */
    async removeExpired (until: Date): Promise<number> {
      const before = (days: number) => new Date(until.getTime() - days * DAY_MS)
      const outOfHistory = (limit: number) => selectRows(VALUES.kept, before(historyDays), limit)
      const outOfFeed = (limit: number) => selectRows(VALUES.none, before(Math.max(historyDays, feedDays)), limit)
      const end = (rows: Sql) => feedDays > historyDays ? clear(rows) : connection.transact(() => remove(rows))
      await removeExpired(connection, expiring(operation, 'id', 'at', historyDays * DAY_MS), until)
      return await inBatches(limit => end(outOfHistory(limit))) +
        await inBatches(limit => connection.transact(() => remove(outOfFeed(limit))))
    }
  }

  async function clear (rows: Sql): Promise<number> {
    return await execute(connection, sql`UPDATE customer_change SET before = NULL, after = NULL WHERE seq IN ${rows}`)
  }

  /** Atomic: a late reader of the feed finds the changes, or that they were removed. */
  function * remove (rows: Sql): Steps<number> {
    const removed = yield * queryStep(connection, { position: 'int?' }, sql`
      DELETE FROM customer_change WHERE seq IN ${rows} RETURNING position`)
    yield * markRemoved(connection, removed.map(({ position }) => position))
    return removed.length
  }
}

function selectRows (condition: Sql, until: Date, limit: number): Sql {
  return sql`(SELECT seq FROM customer_change WHERE ${condition} AND at <= ${until} ORDER BY at LIMIT ${raw(`${limit}`)})`
}
