import type { Connection } from '@frontdesk/database/connection'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'

/** Changes that get a position in one transaction, at most: short transactions do not hold up others. */
export const POSITIONS_BATCH = 1_000

/** Ends of the change feed: readers have missed changes before `removed`; no change has a position above `last` yet. */
export interface FeedEnds { readonly removed: number, readonly last: number }

/**
 * Gives committed changes their positions, in the order of `seq`. Atomic: concurrent callers wait at the row of
 * `feed_position`, and only then look for changes without a position. So a position becomes visible after all lower ones, and
 * a change that commits late gets a higher one. Returns how many there were.
 */
export function * assignPositions (connection: Connection): Steps<number> {
  yield * queryStep(connection, { last: 'int' }, sql`
    INSERT INTO feed_position (id, last, removed) VALUES (1, 0, 0) ON CONFLICT (id) DO UPDATE SET last = feed_position.last RETURNING last`)
  const assigned = yield * queryStep(connection, { position: 'int' }, sql`
    UPDATE customer_change SET position = (SELECT last FROM feed_position WHERE id = 1) + pending.number
    FROM (
      SELECT seq, row_number() OVER (ORDER BY seq) AS number
      FROM (SELECT seq FROM customer_change WHERE position IS NULL ORDER BY seq LIMIT ${POSITIONS_BATCH}) AS first
    ) AS pending
    WHERE customer_change.seq = pending.seq RETURNING position`)
  if (assigned.length > 0) {
    yield * queryStep(connection, {}, sql`UPDATE feed_position SET last = ${Math.max(...assigned.map(({ position }) => position))} WHERE id = 1`)
  }
  return assigned.length
}

/** Remembers that changes were removed, before every reader had them. `null`: it had no position. */
export function * markRemoved (connection: Connection, positions: ReadonlyArray<number | null>): Steps<void> {
  if (positions.length === 0) return
  const known = positions.filter(position => position !== null)
  // What had no position was behind the last one: only a reader that begins now has missed nothing. The row may be missing, but
  // a reader of the empty feed continues after 0. Where there are positions, there is the row.
  const step = known.length < positions.length
    ? sql`
      INSERT INTO feed_position (id, last, removed) VALUES (1, 1, 1)
      ON CONFLICT (id) DO UPDATE SET last = feed_position.last + 1, removed = feed_position.last + 1`
    : sql`UPDATE feed_position SET removed = ${Math.max(...known)} WHERE id = 1 AND removed < ${Math.max(...known)}`
  yield * queryStep(connection, {}, step)
}
