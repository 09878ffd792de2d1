import type { Connection } from '@frontdesk/database/connection'
import { query, sql, type Sql } from '@frontdesk/database/sql'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { DAY_MS } from '../../lifetimes.js'
import { CONSOLE_ID } from '../../oauth/console-client.js'
import { boundedCount, MAX_COUNTED } from '../access/bounded-count.js'
import { isoWeek } from './implicit-use-counter.js'

/** Maximum clients to name that do not accept logout tokens. */
const MAX_NAMED = 20

/** Opens the counts for the console's first page. Each is a {@link boundedCount}. */
export function openOverview (connection: Connection) {
  async function count (from: Sql): Promise<number> {
    return (await query(connection, { rows: 'int' }, sql`SELECT ${boundedCount(from)}`))[0]?.rows ?? 0
  }

  /** Counts the rows of two periods. */
  async function countBoth (now: Sql, before: Sql) {
    const [counts] = await query(connection, { now: 'int', before: 'int' }, sql`SELECT ${boundedCount(now)}, ${boundedCount(before)}`)
    // as: one row.
    return counts!
  }

  /** The events of a day by outcome: the newest {@link MAX_COUNTED} + 1. The index has all that is read, and both bounds. */
  async function outcomes (event: string, end: Date): Promise<Map<string, number>> {
    const [from, to] = [new Date(end.getTime() - DAY_MS), end].map(leastTimeId)
    const counts = await query(connection, { outcome: 'string', events: 'int' }, sql`
      SELECT outcome, COUNT(*) FROM (
        SELECT outcome FROM audit WHERE event = ${event} AND id >= ${from} AND id < ${to}
        ORDER BY event DESC, id DESC LIMIT ${MAX_COUNTED + 1}
      ) AS attempt GROUP BY outcome`)
    return new Map(counts.map(({ outcome, events }) => [outcome, events]))
  }

  /** A day's sign-in attempts. `isPartial`: there are more, and only the newest are counted. */
  async function signInsOf (end: Date) {
    const attempts = await outcomes('sign-in', end)
    const total = [...attempts.values()].reduce((sum, events) => sum + events, 0)
    const done = attempts.get('signed in') ?? 0
    return { done, failed: total - done, isPartial: total > MAX_COUNTED }
  }

  return {
    outcomes,
    /** The sign-ins of the last 24 hours, and of the 24 hours before. */
    async signIns (now: Date) {
      const [last, before] = await Promise.all([signInsOf(now), signInsOf(new Date(now.getTime() - DAY_MS))])
      return { now: last, before }
    },
    /** Users added in the last seven days, and in the seven days before. */
    async newUsers (now: Date) {
      const [week, fortnight] = [7, 14].map(days => new Date(now.getTime() - days * DAY_MS)) as [Date, Date] // as: two.
      return await countBoth(
        sql`user_account WHERE created_at >= ${week}`, sql`user_account WHERE created_at >= ${fortnight} AND created_at < ${week}`
      )
    },
    /** Clients that used the implicit grant this week, and the week before (ISO 8601, UTC). */
    async implicitClients (now: Date) {
      const used = (at: Date) => sql`implicit_use WHERE week = ${isoWeek(at)}`
      return await countBoth(used(now), used(new Date(now.getTime() - 7 * DAY_MS)))
    },
    /** Enabled clients that registered themselves. */
    selfRegistered: () => count(sql`client WHERE registered_by <> 'operator' AND disabled_at IS NULL AND id <> ${CONSOLE_ID}`),
    /** Clients that did not accept a logout token, which was sent again; at most {@link MAX_NAMED}. */
    async logoutFailures (): Promise<string[]> {
      const found = await query(connection, { id: 'string' }, sql`
        SELECT DISTINCT client_id FROM client_session WHERE due_at IS NOT NULL AND attempts > 1 ORDER BY client_id LIMIT ${MAX_NAMED}`)
      return found.map(({ id }) => id)
    },
    /** The number of clients. */
    clients: () => count(sql`client WHERE id <> ${CONSOLE_ID}`),
    /** The number of users. */
    users: () => count(sql`user_account`)
  }
}
