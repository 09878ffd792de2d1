/**
 * SQL condition that a row exists, evaluated for each row of the statement by an index. PostgreSQL may turn `EXISTS` into a join
 * instead, which reads a whole table while it has no statistics.
 * @param from what follows FROM, with a condition on a key
 */
export function correlatedExists (from: string): string {
  return `(SELECT 1 FROM ${from} LIMIT 1) IS NOT NULL`
}
