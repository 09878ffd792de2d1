import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { implicitUse } from '../../generated/tables.js'
import { newestOf } from './audit-query.js'

/** How many tokens a client got by the implicit grant in a week. */
export type ImplicitUse = Row<typeof implicitUse.columns>

/** Statistics of the implicit grant, by client and week. */
export interface ImplicitUses {
  /** Adds counts, at most one per client and week. */
  add (uses: readonly ImplicitUse[]): Promise<void>
  /** All counts, by client and week. */
  list (): Promise<ImplicitUse[]>
  /** The counts of some clients, by client and week. */
  of (clientIds: readonly string[]): Promise<ImplicitUse[]>
  /** Summarizes a client's grants from its newest {@link MAX_EVENTS} events in the audit trail. */
  seen (clientId: string, since: Date): Promise<SeenGrants>
}

/** The grants of a client since a time. */
export interface SeenGrants {
  /** How many users got a token with the implicit grant. */
  readonly users: number
  /** When it last exchanged a code; `null`: not since then. */
  readonly lastCode: Date | null
  /** Whether every event was read; if not, the real numbers can be higher. */
  readonly isWhole: boolean
}

/** Maximum events to read: more would take too long. */
const MAX_EVENTS = 10_000

const SEEN = { users: 'int', lastCode: 'datetime?', events: 'int' } as const

const ROWS_PER_STATEMENT = 64

export function openImplicitUses (connection: Connection): ImplicitUses {
  const names = columnNames(implicitUse.columns)
  const addition = listStatement(connection, {
    entry: implicitUse.columns,
    sql: entries => `
    INSERT INTO implicit_use (${names})
    SELECT DISTINCT ${columns(implicitUse.columns, 'entry')} FROM ${entries} WHERE true ORDER BY entry.client_id, entry.week
    ON CONFLICT (client_id, week) DO UPDATE SET
      uses = implicit_use.uses + excluded.uses,
      first_at = CASE WHEN excluded.first_at < implicit_use.first_at THEN excluded.first_at ELSE implicit_use.first_at END,
      last_at = CASE WHEN excluded.last_at > implicit_use.last_at THEN excluded.last_at ELSE implicit_use.last_at END`
  })
  return {
    async add (uses) {
      // Sorted, as everywhere: statements on the same rows in different orders would deadlock.
      const keyOf = ({ clientId, week }: ImplicitUse) => `${clientId} ${week}`
      const sorted = uses.toSorted((one, other) => keyOf(one) < keyOf(other) ? -1 : 1)
      for (let at = 0; at < sorted.length; at += ROWS_PER_STATEMENT) await addition.run(sorted.slice(at, at + ROWS_PER_STATEMENT))
    },
    list: () => query(connection, implicitUse.columns, sql`SELECT ${raw(names)} FROM implicit_use ORDER BY client_id, week`),
    of: async clientIds => clientIds.length === 0
      ? []
      : await query(connection, implicitUse.columns, sql`
          SELECT ${raw(names)} FROM implicit_use WHERE client_id IN (${join([...clientIds])}) ORDER BY client_id, week`),
    async seen (clientId, since) {
      const { where, order } = newestOf('clientId', clientId)
      const [row] = await query(connection, SEEN, sql`
        SELECT COUNT(DISTINCT CASE WHEN event = 'grant' AND outcome = 'implicit' THEN user_id END),
          MAX(CASE WHEN event = 'token' AND outcome = 'authorization_code' THEN at END), COUNT(*)
        FROM (
          SELECT id, event, outcome, user_id, at FROM audit WHERE ${where} ORDER BY ${order} LIMIT ${MAX_EVENTS + 1}
        ) AS newest WHERE id >= ${leastTimeId(since)}`)
      const { users = 0, lastCode = null, events = 0 } = row ?? {}
      return { users, lastCode, isWhole: events <= MAX_EVENTS }
    }
  }
}
