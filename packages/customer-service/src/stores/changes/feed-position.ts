import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createMark } from './feed-cursor.js'

/** Maximum changes that get a position in one transaction: short transactions do not delay others. */
const POSITIONS_BATCH = 1_000

/** Maximum transactions for one read. */
const MAX_TRANSACTIONS = 10

/** Assigns positions to committed changes. */
export function openFeedPositions (connection: Connection) {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  return {
    /**
     * For a read: assigns positions to changes that were committed before the call. Single-flight: callers during a run share
     * the next run, which sees what they have committed.
     */
    async assign (): Promise<void> {
      next ??= (async () => {
        await running?.catch(() => {})
        running = next
        next = undefined
        for (let count = 0; count < MAX_TRANSACTIONS && await assignBatch(); count++);
      })()
      await next
    },

    /** Assigns positions until no change is left. */
    async assignAll (): Promise<void> {
      while (await assignBatch());
    }
  }

  /** Returns whether there may be more. */
  async function assignBatch (): Promise<boolean> {
    const pending = await query(connection, { seq: 'int' }, sql`SELECT seq FROM customer_change WHERE position IS NULL LIMIT 1`)
    return pending.length > 0 && await connection.transact(() => assignPositions(connection)) === POSITIONS_BATCH
  }
}

/** SQL of a position's mark. */
export function selectMark (position: Sql): Sql {
  return sql`(SELECT mark FROM feed_run WHERE feed_run.last >= ${position} ORDER BY feed_run.last LIMIT 1)`
}

/** Gives the last position a mark, even 0, after which readers of the empty feed continue. */
export function * beginFeed (connection: Connection): Steps<void> {
  const last = yield * lockFeed(connection)
  yield * queryStep(connection, {}, sql`INSERT INTO feed_run (last, mark) VALUES (${last}, ${createMark()}) ON CONFLICT (last) DO NOTHING`)
}

/** Locks the feed: other runs wait here. Returns the last assigned position. */
function * lockFeed (connection: Connection): Steps<number> {
  const [feed] = yield * queryStep(connection, { last: 'int' }, sql`
    INSERT INTO feed_position (id, last, removed) VALUES (1, 0, 0) ON CONFLICT (id) DO UPDATE SET last = feed_position.last RETURNING last`)
  return feed?.last ?? 0
}

/**
 * Assigns positions to committed changes, in the order of `seq`. Atomic: concurrent callers wait for the row of
 * `feed_position` before they look for changes. So a position becomes visible after all lower ones, and a change that commits
 * late gets a higher one. Returns the number of changes.
 */
function * assignPositions (connection: Connection): Steps<number> {
  yield * lockFeed(connection)
  const assigned = yield * queryStep(connection, { position: 'int' }, sql`
    UPDATE customer_change SET position = (SELECT last FROM feed_position WHERE id = 1) + pending.number
    FROM (
      SELECT seq, row_number() OVER (ORDER BY seq) AS number
      FROM (SELECT seq FROM customer_change WHERE position IS NULL ORDER BY seq LIMIT ${POSITIONS_BATCH}) AS first
    ) AS pending
    WHERE customer_change.seq = pending.seq RETURNING position`)
  if (assigned.length > 0) yield * endRun(connection, Math.max(...assigned.map(({ position }) => position)))
  return assigned.length
}

/** Marks the positions since the previous run. Each run has its own mark, which shows that a backup was restored. */
function * endRun (connection: Connection, last: number): Steps<void> {
  yield * queryStep(connection, {}, sql`UPDATE feed_position SET last = ${last} WHERE id = 1`)
  yield * queryStep(connection, {}, sql`INSERT INTO feed_run (last, mark) VALUES (${last}, ${createMark()})`)
}

/** Records that changes were removed, perhaps before every reader had them. @param positions `null` for a change without one */
export function * markRemoved (connection: Connection, positions: ReadonlyArray<number | null>): Steps<void> {
  if (positions.length === 0) return
  const known = positions.filter(position => position !== null)
  let removed = Math.max(0, ...known)
  if (known.length < positions.length) {
    // A change without a position is after the last one: only readers that begin now have missed nothing.
    removed = (yield * lockFeed(connection)) + 1
    yield * endRun(connection, removed)
  }
  yield * queryStep(connection, {}, sql`UPDATE feed_position SET removed = ${removed} WHERE id = 1 AND removed < ${removed}`)
  yield * queryStep(connection, {}, sql`DELETE FROM feed_run WHERE last < (SELECT removed FROM feed_position WHERE id = 1)`)
}
