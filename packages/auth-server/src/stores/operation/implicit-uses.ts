import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns } from '@frontdesk/database/table'
import { implicitUse } from '../../generated/tables.js'

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
}

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
          SELECT ${raw(names)} FROM implicit_use WHERE client_id IN (${join([...clientIds])}) ORDER BY client_id, week`)
  }
}
