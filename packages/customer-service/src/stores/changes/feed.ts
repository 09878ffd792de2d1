import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columns, pick } from '@frontdesk/database/table'
import { customerChange } from '../../generated/tables.js'
import type { Retention } from '../../settings/retention.js'
import type { FeedCursor } from './feed-cursor.js'
import { beginFeed, selectMark, markRemoved, openFeedPositions } from './feed-position.js'

const CHANGE = { position: 'int', mark: 'string', ...pick(customerChange, 'customerId', 'version', 'kind', 'at', 'fields', 'successor') } as const

const CHANGE_COLUMNS = raw(columns(CHANGE, 'customer_change', { mark: selectMark(raw('customer_change.position')).sql }))

/** A change in the feed, with its cursor. */
export type FeedChange = Row<typeof CHANGE>

/** Where a read begins: after a cursor, with the oldest change, or with the next change. */
export type FeedStart = FeedCursor | 'oldest' | 'latest'

/** Changes after a cursor, and the cursor to continue after. */
interface FeedChanges { readonly changes: FeedChange[], readonly next: FeedCursor }

/**
 * The reader may have missed changes: they were removed, or replaced after a restored backup. `next` is the end of the feed.
 */
export interface FeedGap { readonly gap: 'removed' | 'replaced', readonly next: FeedCursor }

export type FeedPage = FeedChanges | FeedGap

/** The change feed: each committed change of a customer once, in the order of that customer's changes. */
export interface Feed {
  readonly isOn: boolean
  /** Reads the changes after a cursor, including all that were committed before the call. */
  read (start: FeedStart, limit: number): Promise<FeedPage>
  /** Finds the cursor before the oldest or the next change. */
  findEnd (end: 'oldest' | 'latest'): Promise<FeedCursor>
  /** Finds the change at a position; `null` if it was removed or erased. */
  find (position: number): Promise<FeedChange | null>
  /** Assigns positions if the feed has had readers, so that infrequent ones need not wait for many. */
  catchUp (): Promise<void>
}

export async function openFeed (connection: Connection, { historyDays, feedDays }: Retention): Promise<Feed> {
  // No change is recorded, so that readers will have missed some.
  if (historyDays === 0 && feedDays === 0) await connection.transact(() => markRemoved(connection, [null]))
  const positions = openFeedPositions(connection)

  return {
    isOn: feedDays > 0,

    async read (start, limit) {
      if (start === 'latest') return { changes: [], next: await findEnd(start) }
      const after = start === 'oldest' ? await findEnd(start) : start
      if (start !== 'oldest') await positions.assign()
      const changes = await query(connection, CHANGE, sql`
        SELECT ${CHANGE_COLUMNS} FROM customer_change WHERE position > ${after.position} ORDER BY position LIMIT ${limit}`)
      // After the read, to notice what was removed or replaced before it.
      const gap = start === 'oldest' ? null : await findGap(after)
      const { position, mark } = changes.at(-1) ?? after
      return gap ?? { changes, next: { position, mark } }
    },

    findEnd,

    async find (position) {
      return (await query(connection, CHANGE, sql`SELECT ${CHANGE_COLUMNS} FROM customer_change WHERE position = ${position}`))[0] ?? null
    },

    async catchUp () {
      if (feedDays === 0) return
      const { removed, last } = await readEnds(raw('last'))
      if (removed !== last) await positions.assignAll()
    }
  }

  async function findEnd (end: 'oldest' | 'latest'): Promise<FeedCursor> {
    await positions.assign()
    const column = end === 'oldest' ? 'removed' : 'last'
    const ends = await readEnds(raw(`feed_position.${column}`))
    if (ends.mark !== null) return { position: ends[column], mark: ends.mark }
    await connection.transact(() => beginFeed(connection))
    return await findEnd(end)
  }

  /** Finds out whether a reader after a cursor may have missed changes; `null` if it has not. */
  async function findGap ({ position, mark }: FeedCursor): Promise<FeedGap | null> {
    const { removed, mark: known } = await readEnds(sql`${position}`)
    // Removed positions have no mark, so this comes first.
    const gap = position < removed ? 'removed' : mark !== known ? 'replaced' : null
    return gap && { gap, next: await findEnd('latest') }
  }

  /** Reads the ends of the feed and the mark of a position: `null` if the position is later, or the feed has not begun. */
  async function readEnds (position: Sql) {
    const columns = { removed: 'int', last: 'int', mark: 'string?' } as const
    const [found] = await query(connection, columns, sql`SELECT removed, last, ${selectMark(position)} FROM feed_position WHERE id = 1`)
    return found ?? { removed: 0, last: 0, mark: null }
  }
}
