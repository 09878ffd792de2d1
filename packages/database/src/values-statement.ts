import type { SqlQuery } from '@prisma/driver-adapter-utils'
import type { Connection } from './connection.js'
import { decodeRows, type Columns, type Row } from './rows.js'
import type { Steps } from './steps.js'

/** Type of a column in the list, as Prisma's drivers call it. */
type Type = 'int' | 'bigint' | 'string' | 'datetime'

/** A row of the answer, decoded if its columns are declared. */
type Answer<C> = C extends Columns ? Row<C> : unknown[]

/** What PostgreSQL calls it. */
const POSTGRESQL = { int: 'integer', bigint: 'bigint', string: 'text', datetime: 'timestamp' } as const

/**
 * A statement over a list of rows, run below Prisma's client at a fraction of its cost, and the same on both databases.
 * PostgreSQL gets an array for each column: one text, and another for a single row. SQLite gets the rows: seven texts for lists of 1 to 64, one more for each time the length doubles.
 */
export class ValuesStatement<C extends Columns | undefined = undefined> {
  readonly #connection: Connection
  readonly #text: (list: string) => string
  readonly #types: readonly Type[]
  readonly #columns: Columns | undefined
  readonly #prepared = new Map<number, { sql: string, argTypes: Array<{ scalarType: Type, arity: 'scalar' | 'list' }> }>()

  /**
   * @param text makes the statement from its list, a table with the columns `column1`, `column2`… that stands in it once.
   * A row that is there twice must mean the same as once
   * @param types of the columns of the list
   * @param columns of the answer, by which its rows are decoded; left out, they stay as the driver gives them
   */
  constructor (connection: Connection, text: (list: string) => string, types: readonly Type[], columns?: C) {
    this.#connection = connection
    this.#text = text
    this.#types = types
    this.#columns = columns
  }

  /** Runs it; gives the rows of its answer, in no order. @throws TypeError if they are not as declared */
  async run (rows: ReadonlyArray<readonly unknown[]>): Promise<Array<Answer<C>>> {
    return this.#decode(await this.#connection.run(this.query(rows)))
  }

  /** The same as a step of a transaction: `const [row] = yield * statement.step([[id]])`. */
  * step (rows: ReadonlyArray<readonly unknown[]>): Steps<Array<Answer<C>>> {
    return this.#decode(yield this.query(rows))
  }

  #decode (rows: unknown[][]): Array<Answer<C>> {
    // as: with columns, that is what they say.
    return (this.#columns === undefined ? rows : decodeRows(this.#columns, rows)) as Array<Answer<C>>
  }

  /** The statement as it is run, for a transaction that does not read its answer. */
  query (rows: ReadonlyArray<readonly unknown[]>): SqlQuery {
    return this.#connection.adapter.provider === 'postgres' ? this.#queryPostgresql(rows) : this.#querySqlite(rows)
  }

  #queryPostgresql (rows: ReadonlyArray<readonly unknown[]>): SqlQuery {
    // Of one row PostgreSQL keeps a plan; with an array it makes one each time, which takes longer than to run it.
    // as: there is one.
    if (rows.length === 1) return { ...this.#prepare(1, () => this.#row()), args: [...rows[0] as unknown[]] }
    const args = this.#types.map((_, column) => rows.map(row => row[column]))
    return { ...this.#prepare(0, () => this.#arrays()), args }
  }

  #querySqlite (rows: ReadonlyArray<readonly unknown[]>): SqlQuery {
    const size = 2 ** Math.ceil(Math.log2(rows.length))
    const args = rows.flat()
    // as: there is at least one.
    for (let count = rows.length; count < size; count++) args.push(...rows[0] as unknown[])
    return { ...this.#prepare(size, () => this.#rows(size)), args }
  }

  #prepare (size: number, make: () => { list: string, argTypes: Array<{ scalarType: Type, arity: 'scalar' | 'list' }> }) {
    const known = this.#prepared.get(size)
    if (known !== undefined) return known
    const { list, argTypes } = make()
    const prepared = { sql: this.#text(list), argTypes }
    this.#prepared.set(size, prepared)
    return prepared
  }

  #arrays () {
    const arrays = this.#types.map((type, column) => `$${column + 1}::${POSTGRESQL[type]}[]`).join(', ')
    const names = this.#types.map((_, column) => `column${column + 1}`).join(', ')
    return { list: `SELECT * FROM unnest(${arrays}) AS list (${names})`, argTypes: this.#types.map(scalarType => ({ scalarType, arity: 'list' as const })) }
  }

  #row () {
    const values = this.#types.map((type, column) => `$${column + 1}::${POSTGRESQL[type]}`).join(', ')
    return { list: `VALUES (${values})`, argTypes: this.#types.map(scalarType => ({ scalarType, arity: 'scalar' as const })) }
  }

  #rows (size: number) {
    const row = `(${this.#types.map(() => '?').join(', ')})`
    const argTypes = Array.from({ length: size }, () => this.#types.map(scalarType => ({ scalarType, arity: 'scalar' as const }))).flat()
    return { list: `VALUES ${Array.from({ length: size }, () => row).join(', ')}`, argTypes }
  }
}
