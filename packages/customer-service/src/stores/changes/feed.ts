import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, sql } from '@frontdesk/database/sql'
import type { Retention } from '../../settings/retention.js'
import { assignPositions, markRemoved, POSITIONS_BATCH, type FeedEnds } from './feed-position.js'

/** Transactions that one read assigns positions with, at most. */
const MAX_TRANSACTIONS = 10

const COLUMNS = { position: 'int', customerId: 'int', version: 'int', kind: 'string', at: 'datetime', fields: 'string' } as const

/** A change in the feed. */
export type FeedChange = Row<typeof COLUMNS>

/** Where a read begins: after a position; with the oldest change that is kept; with the next change. */
export type FeedStart = number | 'oldest' | 'latest'

/** Changes after a position, and the position to continue after; or why the reader may have missed changes. */
export type FeedPage = { changes: FeedChange[], next: number } | 'removed' | 'unassigned'

/** The change feed: each committed change of a customer once, those of one customer in their order. */
export interface Feed {
  /** Whether changes are recorded for it. */
  readonly isOn: boolean
  /** Reads the changes after a position. It sees what was committed before the call. */
  read (start: FeedStart, limit: number): Promise<FeedPage>
  /** Assigns positions, if changes that are kept were read; with a reader that comes seldom, few are left for it. */
  catchUp (): Promise<void>
}

/** Opens {@link Feed}. */
export async function openFeed (connection: Connection, { historyDays, feedDays }: Retention): Promise<Feed> {
  // Nothing is recorded: readers that come back later have missed changes.
  if (historyDays === 0 && feedDays === 0) await connection.transact(() => markRemoved(connection, [null]))
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  return {
    isOn: feedDays > 0,

    async read (start, limit) {
      await assign()
      if (start === 'latest') return { changes: [], next: (await ends()).last }
      const after = start === 'oldest' ? (await ends()).removed : start
      const changes = await query(connection, COLUMNS, sql`
        SELECT position, customer_id, version, kind, at, fields FROM customer_change
        WHERE position > ${after} ORDER BY position LIMIT ${limit}`)
      // Afterwards: what was removed before they were read counts.
      const { removed, last } = await ends()
      if (after > last) return 'unassigned'
      return after < removed && start !== 'oldest' ? 'removed' : { changes, next: changes.at(-1)?.position ?? after }
    },

    async catchUp () {
      if (feedDays === 0) return
      const { removed, last } = await ends()
      if (removed === last) return
      while (await assignBatch());
    }
  }

  /** Single-flight: callers that come while it runs share the next run, which sees what they have committed. */
  async function assign (): Promise<void> {
    next ??= (async () => {
      await running?.catch(() => {})
      running = next
      next = undefined
      for (let count = 0; count < MAX_TRANSACTIONS && await assignBatch(); count++);
    })()
    await next
  }

  /** Returns whether there may be more. */
  async function assignBatch (): Promise<boolean> {
    const pending = await query(connection, { seq: 'int' }, sql`SELECT seq FROM customer_change WHERE position IS NULL LIMIT 1`)
    return pending.length > 0 && await connection.transact(() => assignPositions(connection)) === POSITIONS_BATCH
  }

  async function ends (): Promise<FeedEnds> {
    const [found] = await query(connection, { removed: 'int', last: 'int' }, sql`SELECT removed, last FROM feed_position WHERE id = 1`)
    return found ?? { removed: 0, last: 0 }
  }
}
