import type { Connection } from '@frontdesk/database/connection'
import type { Columns, Row } from '@frontdesk/database/rows'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Retention } from '../../settings/retention.js'
import type { Actor } from './change.js'

type Types = ConstructorParameters<typeof ValuesStatement>[2]

/** SQL of the values of a customer after a change. */
interface Values { readonly name: string, readonly age: string, readonly address: string }

/** A statement that changes customers by the rows of a list, `change`. */
interface Write<C extends Columns> {
  /** SQL of the kind of the change. */
  readonly kind: string
  /** Condition on `customer` and `change`. */
  readonly where: string
  /** `null`: they are removed. */
  readonly after: Values | null
  /** The statement. @param changes SQL of the list, as `change` @param where condition on `customer` and `change` */
  readonly write: (changes: string, where: string) => string
  readonly types: Types
  readonly columns: C
}

/** A statement that adds the customers of a list: id, name, name key, age, address, version and other columns. */
interface Insertion<C extends Columns> extends Pick<Write<C>, 'types' | 'columns'> {
  /** @param changes SQL of the list */
  readonly write: (changes: string) => string
}

/** A statement that records what it changes. */
export interface Recorded<C extends Columns> {
  /** @param rows made by {@link Recording.row} */
  readonly run: (rows: ReadonlyArray<readonly unknown[]>) => Promise<Array<Row<C>>>
  /** The same as steps of a transaction. */
  readonly step: (rows: ReadonlyArray<readonly unknown[]>) => Steps<Array<Row<C>>>
}

/** What a row has in addition: when, and who. */
const CONTEXT: Types = ['datetime', 'string', 'string', 'string']

const COLUMNS = 'customer_id, version, kind, at, sub, client_id, request_id, fields, before, after'

const CURRENT = { name: 'customer.name', age: 'customer.age', address: 'customer.address' }

/**
 * Records changes of customers in `customer_change`. Atomic: on PostgreSQL, one statement locks the customers, changes and
 * records them; on SQLite, two statements of one transaction do.
 */
export class Recording {
  readonly #connection: Connection
  readonly #isPostgresql: boolean
  readonly #isOn: boolean
  readonly #withValues: boolean
  readonly #isFed: boolean

  constructor (connection: Connection, { historyDays, feedDays }: Retention) {
    this.#connection = connection
    this.#isPostgresql = connection.dialect === 'postgresql'
    this.#isOn = historyDays > 0 || feedDays > 0
    this.#withValues = historyDays > 0
    this.#isFed = feedDays > 0
  }

  /** A row of a list. */
  row (values: readonly unknown[], at: Date, { sub, clientId, requestId }: Actor): readonly unknown[] {
    return this.#isOn ? [...values, at, sub, clientId, requestId] : values
  }

  /** A statement that changes or removes customers. */
  change<C extends Columns> ({ kind, where, after, write, types, columns }: Write<C>): Recorded<C> {
    const plain = (list: string) => write(`(${list}) AS change`, where)
    const values = `customer.id, customer.version${after === null ? '' : ' + 1'}, ${kind}, ${this.#context(types)}, ${fieldsOf(after)},
      ${this.#json(CURRENT)}, ${this.#json(after)}`
    if (!this.#isPostgresql) {
      return this.#inSteps(list => `SELECT DISTINCT ${values} FROM (${list}) AS change JOIN customer ON ${where}`, plain, types, columns)
    }
    // The lock makes `before` the values that the change replaces: a condition is checked again on a row that others changed meanwhile.
    const own = COLUMNS.split(', ').map(name => `"${name}"`).join(', ')
    return this.#inOne(list => `
      WITH found ("found", ${own}, ${namesOf(types)}) AS (
        SELECT customer.id, ${values}, ${namesOf(types, 'change.')} FROM customer JOIN (${list}) AS change ON ${where}
        ORDER BY customer.id FOR ${after === null ? '' : 'NO KEY '}UPDATE OF customer
      ), recorded AS (
        INSERT INTO customer_change (${COLUMNS}) SELECT ${COLUMNS} FROM found
      ) ${write('found AS change', 'customer.id = change.found')}`, plain, types, columns)
  }

  /** A statement that adds customers. It returns `id` of each. */
  insert ({ write, types, columns }: Insertion<{ id: 'int' }>, kind: 'registered' | 'restored' = 'registered'): Recorded<{ id: 'int' }> {
    const values = `change.column1, change.column6, '${kind}', ${this.#context(types)}, 'name,age,address', ${this.#json(null)},
      ${this.#json({ name: 'change.column2', age: 'change.column4', address: 'change.column5' })}`
    const selected = `SELECT ${namesOf(types)} FROM`
    if (!this.#isPostgresql) {
      return this.#inSteps(
        list => `SELECT DISTINCT ${values} FROM (${list}) AS change WHERE NOT EXISTS (SELECT 1 FROM customer WHERE customer.id = change.column1)`,
        list => write(this.#isOn ? `${selected} (${list}) AS change WHERE true` : list), types, columns
      )
    }
    return this.#inOne(list => `
      WITH change AS (${list}), added AS (${write(`${selected} change`)})
      INSERT INTO customer_change (${COLUMNS}) SELECT ${values} FROM change JOIN added ON added.id = change.column1
      RETURNING customer_id`, write, types, columns)
  }

  /** Records that a customer was erased, for the change feed. @param version the last one */
  * erased (id: number, version: number, at: Date, { sub, clientId, requestId }: Actor): Steps<void> {
    if (!this.#isFed) return
    yield * queryStep(this.#connection, {}, sql`
      INSERT INTO customer_change (customer_id, version, kind, at, sub, client_id, request_id, fields)
      VALUES (${id}, ${version}, 'erased', ${at}, ${sub}, ${clientId}, ${requestId}, 'name,age,address')`)
  }

  /** PostgreSQL: one statement. */
  #inOne<C extends Columns> (recorded: (list: string) => string, plain: (list: string) => string, types: Types, columns: C): Recorded<C> {
    const statement = this.#isOn
      ? new ValuesStatement(this.#connection, recorded, [...types, ...CONTEXT], columns)
      : new ValuesStatement(this.#connection, plain, types, columns)
    // as: rows have the type of the columns.
    return { run: rows => statement.run(rows), step: rows => statement.step(rows) } as Recorded<C>
  }

  /** SQLite, which has one writer: records what the next statement changes. DISTINCT, since a row of the list may be repeated. */
  #inSteps<C extends Columns> (select: (list: string) => string, plain: (list: string) => string, types: Types, columns: C): Recorded<C> {
    if (!this.#isOn) return this.#inOne(select, plain, types, columns)
    const all = [...types, ...CONTEXT]
    const record = new ValuesStatement(this.#connection, list => `INSERT INTO customer_change (${COLUMNS}) ${select(list)}`, all)
    const statement = new ValuesStatement(this.#connection, plain, all, columns)
    function * step (rows: ReadonlyArray<readonly unknown[]>) {
      yield record.query(rows)
      return yield * statement.step(rows)
    }
    // as: rows have the type of the columns.
    return { run: rows => this.#connection.transact(() => step(rows)), step } as Recorded<C>
  }

  /** The columns of {@link CONTEXT}, behind the others. */
  #context ({ length }: Types): string {
    return CONTEXT.map((_, index) => `change.column${length + index + 1}`).join(', ')
  }

  /** SQL of values as a JSON text; NULL if there are none, or they are not kept. */
  #json (values: Values | null): string {
    if (values === null || !this.#withValues) return 'CAST(NULL AS TEXT)'
    const { name, age, address } = values
    return `CAST(${this.#isPostgresql ? 'json_build_object' : 'json_object'}('name', ${name}, 'age', ${age}, 'address', ${address}) AS TEXT)`
  }
}

/** SQL of the names of the fields that a change changes. */
function fieldsOf (after: Values | null): string {
  if (after === null) return "'name,age,address'"
  const { name, age, address } = CURRENT
  const field = (known: string, value: string, title: string) => `CASE WHEN ${known} <> ${value} THEN '${title}' END`
  return `concat_ws(',', ${field(name, after.name, 'name')}, ${field(age, after.age, 'age')}, ${field(address, after.address, 'address')})`
}

function namesOf (types: Types, prefix = ''): string {
  return types.map((_, index) => `${prefix}column${index + 1}`).join(', ')
}
