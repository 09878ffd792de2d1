import { raw, type Sql } from '@frontdesk/database/sql'

/** Maximum number of rows to count: more would take too long. */
export const MAX_COUNTED = 10_000

/** SQL value: the number of rows, at most {@link MAX_COUNTED} + 1. @param from the SQL after FROM, without an order */
export function boundedCount (from: string): Sql {
  return raw(`(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ${MAX_COUNTED + 1}) AS counted)`)
}
