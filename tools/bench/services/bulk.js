import Database from 'better-sqlite3'
import { query } from '../machine/database.js'

/**
 * Runs statements that add many rows to tables. Their indexes are created again at the end: made at once, an index of millions of rows
 * takes seconds; row by row, far longer.
 * @param {{ dir: string, databaseUrl: string | undefined }} context
 * @param {string[]} tables
 * @param {string[]} statements
 */
export async function fillTables ({ dir, databaseUrl }, tables, statements) {
  const names = tables.map(it => `'${it}'`).join(', ')
  if (databaseUrl !== undefined) {
    const indexes = await query(databaseUrl, `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename IN (${names})
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = (quote_ident(schemaname) || '.' || quote_ident(indexname))::regclass)`)
    const memory = "SET maintenance_work_mem = '512MB'"
    const [drop, create] = [indexes.map(({ name }) => `DROP INDEX "${name}"`), indexes.map(({ sql }) => sql)]
    await query(databaseUrl, memory, ...drop, ...statements, ...create, 'VACUUM ANALYZE', 'CHECKPOINT')
    return
  }
  const file = new Database(`${dir}/data.db`)
  const indexes = file
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN (${names}) AND sql IS NOT NULL`)
    .all()
  file.pragma('journal_mode = MEMORY')
  file.pragma('synchronous = OFF')
  file.pragma('cache_size = -200000')
  for (const { name } of indexes) file.exec(`DROP INDEX "${name}"`)
  file.transaction(() => { for (const statement of statements) file.exec(statement) })()
  for (const { sql } of indexes) file.exec(sql)
  file.pragma('journal_mode = WAL')
  file.close()
}

/** SQL that differs between the databases. */
export function dialectOf ({ databaseUrl }) {
  return databaseUrl === undefined ? sqlite : postgresql
}

const sqlite = {
  /** A table with a column `n` of numbers. */
  numbers: (first, last) =>
    `(WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT n FROM numbers) AS numbers`,
  /** A time, from milliseconds since 1970, in the format of the service. */
  time: ms => `strftime('%Y-%m-%dT%H:%M:%f+00:00', (${ms}) / 1000.0, 'unixepoch')`,
  /** A number in hexadecimal digits, at most 12. */
  hex: (number, digits) => `printf('%0${digits}x', ${number})`,
  true: '1',
  false: '0'
}

const postgresql = {
  numbers: (first, last) => `generate_series(CAST(${first} AS bigint), ${last}) AS numbers (n)`,
  time: ms => `(to_timestamp((${ms}) / 1000.0) AT TIME ZONE 'UTC')`,
  hex: (number, digits) => `lpad(to_hex(${number}), ${digits}, '0')`,
  true: 'true',
  false: 'false'
}
