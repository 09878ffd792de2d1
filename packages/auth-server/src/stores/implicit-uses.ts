import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Database } from './database.js'

/** How many tokens a client got by the implicit grant in one week. */
export interface ImplicitUse {
  readonly clientId: string
  /** Of ISO 8601, in UTC: `2026-W47`. */
  readonly week: string
  readonly uses: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Statistics of the implicit grant, by client and week. */
export interface ImplicitUses {
  /** Adds counts. Each client and week occurs once. */
  add (uses: readonly ImplicitUse[]): Promise<void>
  /** All of them, by client and week. */
  list (): Promise<ImplicitUse[]>
}

/** Rows per statement. */
const SIZE = 64

/** {@link ImplicitUses} in a database. */
export function openImplicitUses (database: Database, connection: Connection): ImplicitUses {
  const addition = new ValuesStatement(connection, list => `
    WITH entry (client_id, week, uses, first_at, last_at) AS (${list})
    INSERT INTO implicit_use (client_id, week, uses, first_at, last_at) SELECT DISTINCT client_id, week, uses, first_at, last_at FROM entry WHERE true ORDER BY client_id, week
    ON CONFLICT (client_id, week) DO UPDATE SET
      uses = implicit_use.uses + excluded.uses,
      first_at = CASE WHEN excluded.first_at < implicit_use.first_at THEN excluded.first_at ELSE implicit_use.first_at END,
      last_at = CASE WHEN excluded.last_at > implicit_use.last_at THEN excluded.last_at ELSE implicit_use.last_at END
    RETURNING client_id`, ['string', 'string', 'int', 'datetime', 'datetime'])
  return {
    async add (uses) {
      // Sorted, as everywhere: two statements on the same rows in different orders would deadlock.
      const rows = uses.map(({ clientId, week, uses, firstAt, lastAt }) => [clientId, week, uses, firstAt, lastAt] as const)
        .sort(([one, week], [other, otherWeek]) => `${one} ${week}` < `${other} ${otherWeek}` ? -1 : 1)
      for (let at = 0; at < rows.length; at += SIZE) await addition.run(rows.slice(at, at + SIZE))
    },
    list: async () => await (await database()).implicitUse.findMany({ orderBy: [{ clientId: 'asc' }, { week: 'asc' }] })
  }
}
