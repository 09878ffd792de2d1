import type { Connection } from './connection.js'
import { decodeRows, type Columns, type Row } from './rows.js'
import type { Query, Steps } from './steps.js'

/** Type of a column of the list, by the name that Prisma's drivers use. */
type Type = 'int' | 'bigint' | 'string' | 'datetime'

/** A row of the result, decoded if its columns are declared. */
type Answer<C> = C extends Columns ? Row<C> : unknown[]

/** PostgreSQL's names for the types. */
const POSTGRESQL = { int: 'integer', bigint: 'bigint', string: 'text', datetime: 'timestamp' } as const

/**
 * A statement over a list of rows, the same on both databases. It bypasses Prisma's client, at a fraction of the cost.
 * For PostgreSQL, the list is an array per column: one SQL text, and another for a single row. For SQLite, it is the rows,
 * padded to a power of two: seven SQL texts for lists of up to 64 rows.
 */
export class ValuesStatement<C extends Columns | undefined = undefined> {
  readonly #connection: Connection
  readonly #text: (list: string) => string
  readonly #types: readonly Type[]
  readonly #columns: Columns | undefined
  readonly #prepared = new Map<number, string>()

  /**
   * @param text returns the SQL for a list, a table with the columns `column1`, `column2`…, which it uses once. A repeated row
   * must not change the result
   * @param types of the columns of the list
   * @param columns of the result, to decode its rows; without them, the rows are those of the driver
   */
  constructor (connection: Connection, text: (list: string) => string, types: readonly Type[], columns?: C) {
    this.#connection = connection
    this.#text = text
    this.#types = types
    this.#columns = columns
  }

  /** Runs the statement and returns its rows, in no particular order. @throws TypeError if they do not match the columns */
  async run (rows: ReadonlyArray<readonly unknown[]>): Promise<Array<Answer<C>>> {
    return this.#decode(await this.#connection.run(this.query(rows)))
  }

  /** The same as a step of a transaction: `const [row] = yield * statement.step([[id]])`. */
  * step (rows: ReadonlyArray<readonly unknown[]>): Steps<Array<Answer<C>>> {
    return this.#decode(yield this.query(rows))
  }

  #decode (rows: unknown[][]): Array<Answer<C>> {
    // as: rows have the type of the columns, if there are any.
    return (this.#columns === undefined ? rows : decodeRows(this.#columns, rows)) as Array<Answer<C>>
  }

  /** The query of the statement, for a transaction that ignores its result. */
  query (rows: ReadonlyArray<readonly unknown[]>): Query {
    return this.#connection.dialect === 'postgresql' ? this.#queryPostgresql(rows) : this.#querySqlite(rows)
  }

  #queryPostgresql (rows: ReadonlyArray<readonly unknown[]>): Query {
    // For a single row, PostgreSQL caches the plan. For arrays it plans each time, which takes longer than the execution.
    // as: there is one row.
    if (rows.length === 1) return { sql: this.#prepare(1, () => this.#row()), args: [...rows[0] as unknown[]] }
    const args = this.#types.map((_, column) => rows.map(row => row[column]))
    return { sql: this.#prepare(0, () => this.#arrays()), args }
  }

  #querySqlite (rows: ReadonlyArray<readonly unknown[]>): Query {
    const size = 2 ** Math.ceil(Math.log2(rows.length))
    const args = rows.flat()
    // as: there is at least one row.
    for (let count = rows.length; count < size; count++) args.push(...rows[0] as unknown[])
    return { sql: this.#prepare(size, () => this.#rows(size)), args }
  }

  #prepare (size: number, list: () => string): string {
    const sql = this.#prepared.get(size) ?? this.#text(list())
    this.#prepared.set(size, sql)
    return sql
  }

  #arrays () {
    const arrays = this.#types.map((type, column) => `$${column + 1}::${POSTGRESQL[type]}[]`).join(', ')
    const names = this.#types.map((_, column) => `column${column + 1}`).join(', ')
    return `SELECT * FROM unnest(${arrays}) AS list (${names})`
  }

  #row () {
    return `VALUES (${this.#types.map((type, column) => `$${column + 1}::${POSTGRESQL[type]}`).join(', ')})`
  }

  #rows (size: number) {
    const row = `(${this.#types.map(() => '?').join(', ')})`
    return `VALUES ${Array.from({ length: size }, () => row).join(', ')}`
  }
}
