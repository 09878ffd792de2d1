import { raw, sql, type Sql } from '@frontdesk/database/sql'

/** Maximum number of rows to count: more would take too long. */
export const MAX_COUNTED = 10_000

/** SQL value: the number of rows, at most {@link MAX_COUNTED} + 1. @param from the SQL after FROM, without an order */
export function boundedCount (from: Sql): Sql {
  return sql`(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ${raw(String(MAX_COUNTED + 1))}) AS counted)`
}
