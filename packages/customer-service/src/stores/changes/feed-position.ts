import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createMark } from './feed-cursor.js'

/** Changes that get a position in one transaction, at most: short transactions do not hold up others. */
const POSITIONS_BATCH = 1_000

/** Transactions that one read assigns positions with, at most. */
const MAX_TRANSACTIONS = 10

/** Gives committed changes their positions. */
interface FeedPositions {
  /** Does so for a reader, who sees what was committed before the call. */
  assign (): Promise<void>
  /** Does so until no change is left. */
  assignAll (): Promise<void>
}

/** Opens {@link FeedPositions}. */
export function openFeedPositions (connection: Connection): FeedPositions {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  return {
    /** Single-flight: callers that come while it runs share the next run, which sees what they have committed. */
    async assign () {
      next ??= (async () => {
        await running?.catch(() => {})
        running = next
        next = undefined
        for (let count = 0; count < MAX_TRANSACTIONS && await assignBatch(); count++);
      })()
      await next
    },

    async assignAll () {
      while (await assignBatch());
    }
  }

  /** Returns whether there may be more. */
  async function assignBatch (): Promise<boolean> {
    const pending = await query(connection, { seq: 'int' }, sql`SELECT seq FROM customer_change WHERE position IS NULL LIMIT 1`)
    return pending.length > 0 && await connection.transact(() => assignPositions(connection)) === POSITIONS_BATCH
  }
}

/** SQL of the mark of a position. @param position SQL */
export function markOf (position: Sql): Sql {
  return sql`(SELECT mark FROM feed_run WHERE feed_run.last >= ${position} ORDER BY feed_run.last LIMIT 1)`
}

/** Gives the last position a mark, also 0, after which a reader of the empty feed continues. */
export function * beginFeed (connection: Connection): Steps<void> {
  const last = yield * lockFeed(connection)
  yield * queryStep(connection, {}, sql`INSERT INTO feed_run (last, mark) VALUES (${last}, ${createMark()}) ON CONFLICT (last) DO NOTHING`)
}

/** Other runs wait here. Resolves to the last position that was assigned. */
function * lockFeed (connection: Connection): Steps<number> {
  const [feed] = yield * queryStep(connection, { last: 'int' }, sql`
    INSERT INTO feed_position (id, last, removed) VALUES (1, 0, 0) ON CONFLICT (id) DO UPDATE SET last = feed_position.last RETURNING last`)
  return feed?.last ?? 0
}

/**
 * Gives committed changes their positions, in the order of `seq`. Atomic: concurrent callers wait at the row of
 * `feed_position`, and only then look for changes without a position. So a position becomes visible after all lower ones, and
 * a change that commits late gets a higher one. Returns how many there were.
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

/** Marks the positions of a run: those after the previous run. Each run has its own mark, or a restore would not show. */
function * endRun (connection: Connection, last: number): Steps<void> {
  yield * queryStep(connection, {}, sql`UPDATE feed_position SET last = ${last} WHERE id = 1`)
  yield * queryStep(connection, {}, sql`INSERT INTO feed_run (last, mark) VALUES (${last}, ${createMark()})`)
}

/** Remembers that changes were removed, before every reader had them. `null`: it had no position. */
export function * markRemoved (connection: Connection, positions: ReadonlyArray<number | null>): Steps<void> {
  if (positions.length === 0) return
  const known = positions.filter(position => position !== null)
  let removed = Math.max(0, ...known)
  if (known.length < positions.length) {
    // What had no position was behind the last one: only a reader that begins now has missed nothing.
    removed = (yield * lockFeed(connection)) + 1
    yield * endRun(connection, removed)
  }
  yield * queryStep(connection, {}, sql`UPDATE feed_position SET removed = ${removed} WHERE id = 1 AND removed < ${removed}`)
  yield * queryStep(connection, {}, sql`DELETE FROM feed_run WHERE last < (SELECT removed FROM feed_position WHERE id = 1)`)
}
