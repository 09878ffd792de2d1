import type { Connection } from './connection.js'
import { kindOf, rowDecoder, type Columns, type Row } from './rows.js'
import type { Query, Steps } from './steps.js'
import { columnNames } from './table.js'

/** A statement over a list of entries. An empty list executes nothing. */
export interface ListStatement<E extends Columns, R extends Columns> {
  /** Executes the statement and returns its rows, in no particular order. @throws TypeError if they do not match their columns */
  run (entries: ReadonlyArray<Row<E>>): Promise<Array<Row<R>>>
  /** The same as a step of a transaction: `const [row] = yield * statement.step([{ id }])`. */
  step (entries: ReadonlyArray<Row<E>>): Steps<Array<Row<R>>>
}

export interface Definition<E extends Columns, R extends Columns> {
  /** The columns of an entry. */
  readonly entry: E
  /** Returns the SQL. @param entries SQL of the list for a FROM clause, with the alias `entry`, to use once. Entries can be repeated */
  readonly sql: (entries: string) => string
  /** The columns of the returned rows, in order. Default: the statement returns no rows. */
  readonly row?: R
}

/** PostgreSQL's names for the types. */
const POSTGRESQL = {
  int: 'integer', bigint: 'bigint', string: 'text', datetime: 'timestamp', timestamp: 'timestamp', boolean: 'boolean'
} as const

/**
 * Creates a statement over a list of entries, for batches of requests on both databases. On PostgreSQL, the list is an array for
 * each column: one SQL text, and another one for a single entry. On SQLite, it is the entries, padded to a power of two: seven
 * SQL texts for up to 64 entries.
 */
export function listStatement<const E extends Columns, const R extends Columns = Record<never, never>> (
  connection: Pick<Connection, 'dialect' | 'run'>,
  { entry, sql, row }: Definition<E, R>
): ListStatement<E, R> {
  const toQuery = (connection.dialect === 'postgresql' ? postgresqlQueries : sqliteQueries)(entry, sql)
  // as: without columns, R is that of no columns.
  const decode = rowDecoder(row ?? {} as R)
  return {
    run: async entries => entries.length === 0 ? [] : decode(await connection.run(toQuery(entries))),
    * step (entries) { return entries.length === 0 ? [] : decode(yield toQuery(entries)) }
  }
}

type Queries = (entries: ReadonlyArray<Readonly<Record<string, unknown>>>) => Query

function postgresqlQueries (entry: Columns, sql: (entries: string) => string): Queries {
  const fields = Object.keys(entry)
  const types = Object.values(entry).map(type => POSTGRESQL[kindOf(type)])
  const alias = `AS entry (${columnNames(entry)})`
  // Without arrays, the database takes 10 µs less.
  const single = sql(`(VALUES (${types.map((type, index) => `$${index + 1}::${type}`).join(', ')})) ${alias}`)
  const list = sql(`unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')}) ${alias}`)
  return entries => {
    const [first, ...others] = entries
    return first !== undefined && others.length === 0
      ? { sql: single, args: fields.map(field => first[field]) }
      : { sql: list, args: fields.map(field => entries.map(it => it[field])) }
  }
}

function sqliteQueries (entry: Columns, sql: (entries: string) => string): Queries {
  const fields = Object.keys(entry)
  const names = columnNames(entry).split(', ').map((name, index) => `column${index + 1} AS ${name}`).join(', ')
  const values = `(${fields.map(() => '?').join(', ')})`
  const texts = new Map<number, string>()
  const sqlForSize = (size: number) => {
    const text = texts.get(size) ?? sql(`(SELECT ${names} FROM (VALUES ${Array(size).fill(values).join(', ')})) AS entry`)
    texts.set(size, text)
    return text
  }
  return entries => {
    const size = 2 ** Math.ceil(Math.log2(entries.length))
    const args: unknown[] = []
    for (let index = 0; index < size; index++) {
      const entry = entries[index] ?? entries[0]
      for (const field of fields) args.push(entry?.[field])
    }
    return { sql: sqlForSize(size), args }
  }
}
