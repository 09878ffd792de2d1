import type { build } from './helper.js'
import { onPostgresql } from '@frontdesk/test-kit/database'

type Database = Awaited<ReturnType<typeof build>>['db']

/** Lets the database note each row that is written, by triggers; gives what reads how many, by table and kind, and forgets them. */
export async function noteRows (db: Database): Promise<() => Promise<Record<string, number>>> {
  const tables = await db.$queryRawUnsafe<Array<{ name: string }>>(onPostgresql
    ? 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()'
    : "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'")
  await db.$executeRawUnsafe('CREATE TABLE written (what TEXT NOT NULL)')
  if (onPostgresql) {
    await db.$executeRawUnsafe(`CREATE FUNCTION note_row () RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO written VALUES (TG_TABLE_NAME || ' ' || TG_OP); RETURN NULL; END $$`)
  }
  for (const { name } of tables) {
    for (const operation of ['INSERT', 'UPDATE', 'DELETE']) {
      const note = onPostgresql ? 'EXECUTE FUNCTION note_row()' : `BEGIN INSERT INTO written VALUES ('${name} ${operation}'); END`
      await db.$executeRawUnsafe(`CREATE TRIGGER noted_${name}_${operation} AFTER ${operation} ON ${name} FOR EACH ROW ${note}`)
    }
  }
  return async () => {
    const rows = await db.$queryRawUnsafe<Array<{ what: string, count: number | bigint }>>(
      'SELECT what, COUNT(*) AS count FROM written GROUP BY what'
    )
    await db.$executeRawUnsafe('DELETE FROM written')
    return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]))
  }
}
