import type { Migrator } from './dialect.js'

/** Type of a column, the same in both dialects. */
type Kind = 'text' | 'integer' | 'boolean' | 'time'

/** A table, the same in both dialects. */
export interface Table {
  readonly name: string
  /** By name. */
  readonly columns: ReadonlyMap<string, Kind>
  readonly primaryKey: readonly string[]
}

/** A row by column: text, integers, booleans, and times in milliseconds since 1970. */
export type Row = Record<string, string | number | boolean | null>

/** Prisma's own table, which is not copied. */
const OWN = '_prisma_migrations'

const KINDS: Record<string, Kind> = {
  TEXT: 'text',
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  DATETIME: 'time',
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  boolean: 'boolean',
  'timestamp without time zone': 'time'
}

/** SQL of the names of all tables, by dialect, including those of other programs and users, but not of extensions. */
export const TABLE_NAMES = {
  // Without the tables of a full-text index, which triggers fill.
  sqlite: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  postgresql: `SELECT relname AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`
}

const CATALOGUE = {
  sqlite: {
    columns: 'SELECT name, type FROM pragma_table_info($1)',
    primaryKey: 'SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk'
  },
  postgresql: {
    columns: `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`,
    primaryKey: `SELECT attribute.attname AS name
      FROM pg_index JOIN pg_attribute AS attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      WHERE indrelid = to_regclass(quote_ident($1)) AND indisprimary ORDER BY array_position(indkey::int[], attnum::int)`
  }
}

/** Reads the names of all tables. */
export async function readTableNames (connection: Migrator): Promise<string[]> {
  return (await connection.query(TABLE_NAMES[connection.dialect], [])).map(({ name }) => `${name}`)
}

/** Reads the applied migrations of a database, and the names of all its tables, including tables of other programs. */
export async function readNames (connection: Migrator): Promise<{ migrations: string, names: string[] }> {
  const names = await readTableNames(connection)
  const migrations = names.includes(OWN)
    ? await connection.query(`SELECT migration_name AS name FROM ${OWN} WHERE finished_at IS NOT NULL`, [])
    : []
  return { migrations: migrations.map(({ name }) => `${name}`).sort().join(), names: names.filter(name => name !== OWN) }
}

/** Reads the columns and keys of tables. @throws if a column has an unknown type */
export async function readTables (connection: Migrator, names: readonly string[]): Promise<Table[]> {
  const catalogue = CATALOGUE[connection.dialect]
  const tables: Table[] = []
  for (const name of names) {
    const columns = await connection.query(catalogue.columns, [name])
    const primaryKey = await connection.query(catalogue.primaryKey, [name])
    tables.push({
      name,
      columns: new Map(columns.map(column => [`${column.name}`, toKind(column.type)])),
      primaryKey: primaryKey.map(column => `${column.name}`)
    })
  }
  return tables
}

function toKind (type: unknown): Kind {
  const kind = KINDS[`${type}`]
  if (kind === undefined) throw new Error(`A column of the type ${type} cannot be copied.`)
  return kind
}

/** Reads the rows of a table in batches, by primary key. */
export async function * readRows (connection: Migrator, { name, columns, primaryKey }: Table, size: number): AsyncGenerator<Row[]> {
  // Qualified, because the bare name would mean the selected text, which sorts differently.
  const key = primaryKey.map(column => `${quote(name)}.${quote(column)}`).join(', ')
  const list = [...columns.keys()].map(column => connection.dialect === 'sqlite' ? quote(column) : `${quote(column)}::text`).join(', ')
  let after: unknown[] = []
  for (;;) {
    const where = after.length === 0 ? '' : `WHERE (${key}) > (${after.map((_, index) => `$${index + 1}`).join(', ')})`
    const rows = await connection.query(`SELECT ${list} FROM ${quote(name)} ${where} ORDER BY ${key} LIMIT ${size}`, after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(row => Object.fromEntries([...columns].map(([column, kind]) => [column, read(row[column], kind)])))
    after = primaryKey.map(column => last[column])
  }
}

/** Inserts rows into a table in one statement. */
export async function writeRows (connection: Migrator, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const list = [...columns.keys()].map(quote).join(', ')
  const data = rows.map(row => Object.fromEntries(
    [...columns].map(([column, kind]) => [column, kind === 'time' ? write(row[column]) : row[column]])
  ))
  const values = connection.dialect === 'sqlite'
    ? `SELECT ${[...columns.keys()].map(column => `json_extract(value, '$.${column}')`).join(', ')} FROM json_each($1)`
    : `SELECT ${list} FROM json_populate_recordset(NULL::${quote(name)}, $1::json)`
  await connection.query(`INSERT INTO ${quote(name)} (${list}) ${values}`, [JSON.stringify(data)])
}

/** Makes PostgreSQL continue a table's numbers after the inserted rows. SQLite does so by itself. */
export async function restartNumbers (connection: Migrator, { name, columns, primaryKey }: Table): Promise<void> {
  const [key, ...others] = primaryKey
  if (connection.dialect !== 'postgresql' || key === undefined || others.length > 0 || columns.get(key) !== 'integer') return
  // Without a sequence, setval returns null.
  await connection.query(
    `SELECT setval(pg_get_serial_sequence($1, $2), max(${quote(key)})) FROM ${quote(name)} HAVING max(${quote(key)}) IS NOT NULL`,
    [quote(name), key]
  )
}

function read (value: unknown, kind: Kind): Row[string] {
  if (value === null) return null
  if (kind === 'text') return `${value}`
  if (kind === 'integer') return Number(value)
  if (kind === 'boolean') return value === 1 || value === 'true'
  // PostgreSQL writes 2030-01-02 03:04:05.678, which is UTC; Prisma writes an offset into SQLite.
  const text = `${value}`.replace(' ', 'T')
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
}

/** Formats a time as Prisma does for SQLite; PostgreSQL accepts it, too. */
function write (time: Row[string] | undefined): string | null {
  return typeof time === 'number' ? new Date(time).toISOString().replace('Z', '+00:00') : null
}

function quote (name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
