import type { Connection } from '@frontdesk/database/connection'
import { listStatement, type ListStatement } from '@frontdesk/database/list-statement'
import type { Columns, Row } from '@frontdesk/database/rows'
import { executeStep, newRow, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { customerChange } from '../../generated/tables.js'
import type { Retention } from '../../settings/retention.js'
import { advanceOperation, type Advance } from '../operations/advance.js'
import type { Actor } from './change.js'

/** SQL of a customer's values after a change. */
interface Values { readonly name: string, readonly age: string, readonly address: string }

/** A statement that changes customers by a list, `entry`. */
interface Write<E extends Columns, R extends Columns> {
  /** SQL of the change's kind. */
  readonly kind: string
  /** Condition on `customer` and `entry`. */
  readonly where: string
  /** `null` for a removal. */
  readonly after: Values | null
  /** @param entries SQL of the list, as `entry` @param where condition on `customer` and `entry` */
  readonly sql: (entries: string, where: string) => string
  readonly entry: E
  readonly row: R
}

/** A statement that adds the customers of a list, and returns their ids. */
interface Insertion<E extends Columns> {
  /** @param entries SQL of the list, as `entry` */
  readonly sql: (entries: string) => string
  readonly entry: E
}

/** Columns that each entry has in addition. */
const CONTEXT = pick(customerChange, 'at', 'sub', 'clientId', 'requestId', 'operationId')

/** Columns that the statement itself fills. */
const CHANGE = pick(customerChange, 'customerId', 'version', 'kind', 'fields', 'before', 'after')

const ERASURE = { ...pick(customerChange, 'customerId', 'version', 'kind', 'fields'), ...CONTEXT }

const COLUMNS = columnNames({ ...CHANGE, ...CONTEXT })

const CURRENT = { name: 'customer.name', age: 'customer.age', address: 'customer.address' }

const ALL_FIELDS = "'name,age,address'"

type Recorded<E extends Columns, R extends Columns> = ListStatement<E & typeof CONTEXT, R>

/**
 * Creates statements that record their changes of customers in `customer_change`. Atomic: one statement on PostgreSQL, which
 * locks the customers, changes and records them; two statements of one transaction on SQLite.
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

  /** Creates a statement that changes or removes customers. */
  change<const E extends Columns, const R extends Columns> ({ kind, where, after, sql, entry, row }: Write<E, R>): Recorded<E, R> {
    const plain = (entries: string) => sql(entries, where)
    const change = {
      customerId: 'customer.id',
      version: `customer.version${after === null ? '' : ' + 1'}`,
      kind,
      fields: changedFields(after),
      before: this.#json(CURRENT),
      after: this.#json(after)
    }
    if (!this.#isPostgresql) {
      const values = (entries: string) => `SELECT DISTINCT ${changeColumns(change)} FROM ${entries} JOIN customer ON ${where}`
      return this.#inSteps(values, plain, entry, row)
    }
    const found = Object.keys(change).map(name => `found_${name.toLowerCase()}`)
    // The lock makes `before` the replaced values: PostgreSQL checks the condition again after it has waited for a row.
    return this.#inOne(entries => `
      WITH found (${found.join(', ')}, ${columnNames({ ...entry, ...CONTEXT })}) AS (
        SELECT ${Object.values(change).join(', ')}, ${columns({ ...entry, ...CONTEXT }, 'entry')} FROM customer JOIN ${entries} ON ${where}
        ORDER BY customer.id FOR ${after === null ? '' : 'NO KEY '}UPDATE OF customer
      ), recorded AS (
        INSERT INTO customer_change (${COLUMNS}) SELECT ${found.join(', ')}, ${columnNames(CONTEXT)} FROM found
      ) ${sql('found AS entry', 'customer.id = entry.found_customerid')}`, plain, entry, row)
  }

  /** Creates a statement that adds customers. Entries have at least `id`, `version` and the columns of {@link CURRENT}. */
  insert<const E extends Columns> (
    { sql, entry }: Insertion<E>, kind: 'registered' | 'restored' = 'registered'
  ): Recorded<E, { id: 'int' }> {
    const change = {
      customerId: 'entry.id',
      version: 'entry.version',
      kind: `'${kind}'`,
      fields: ALL_FIELDS,
      before: this.#json(null),
      after: this.#json({ name: 'entry.name', age: 'entry.age', address: 'entry.address' })
    }
    const row = { id: 'int' } as const
    return this.#isPostgresql
      ? this.#inOne(entries => `
        WITH entry AS (SELECT * FROM ${entries}), added AS (${sql('entry')})
        INSERT INTO customer_change (${COLUMNS}) SELECT ${changeColumns(change)} FROM entry JOIN added ON added.id = entry.id
        RETURNING customer_id`, sql, entry, row)
      : this.#inSteps(entries => `
        SELECT DISTINCT ${changeColumns(change)} FROM ${entries} WHERE NOT EXISTS (SELECT 1 FROM customer WHERE customer.id = entry.id)`, sql, entry, row)
  }

  /** Records an erasure for the change feed. @param version the last one */
  * erased (id: number, version: number, at: Date, actor: Actor): Steps<void> {
    if (!this.#isFed) return
    const change = { customerId: id, version, kind: 'erased', fields: 'name,age,address', at, ...actor }
    yield * executeStep(this.#connection, sql`INSERT INTO customer_change ${newRow(ERASURE, change)}`)
  }

  /** Whether operations are recorded: as long as the history. */
  get hasOperations (): boolean {
    return this.#withValues
  }

  /** Counts customers that the transaction changes as part of an operation. @throws OperationUndone */
  * operation (advance: Advance): Steps<void> {
    if (this.#withValues && advance.customers > 0) yield * advanceOperation(this.#connection, advance)
  }

  /** PostgreSQL: one statement. */
  #inOne<E extends Columns, R extends Columns> (
    recorded: (entries: string) => string, plain: (entries: string) => string, entry: E, row: R
  ): Recorded<E, R> {
    return this.#isOn
      ? listStatement(this.#connection, { entry: { ...entry, ...CONTEXT }, sql: recorded, row })
      : listStatement(this.#connection, { entry, sql: plain, row })
  }

  /** SQLite, which has one writer: records what the next statement will change. DISTINCT: entries can be repeated. */
  #inSteps<E extends Columns, R extends Columns> (
    select: (entries: string) => string, plain: (entries: string) => string, entry: E, row: R
  ): Recorded<E, R> {
    const statement = listStatement(this.#connection, { entry, sql: plain, row })
    if (!this.#isOn) return statement
    const record = listStatement(this.#connection, {
      entry: { ...entry, ...CONTEXT },
      sql: entries => `INSERT INTO customer_change (${COLUMNS}) ${select(entries)}`
    })
    function * step (entries: ReadonlyArray<Row<E & typeof CONTEXT>>) {
      yield * record.step(entries)
      return yield * statement.step(entries)
    }
    return { run: entries => this.#connection.transact(() => step(entries)), step }
  }

  /** SQL of values as JSON text; NULL if there are none, or they are not kept. */
  #json (values: Values | null): string {
    if (values === null || !this.#withValues) return 'CAST(NULL AS TEXT)'
    const { name, age, address } = values
    return `CAST(${this.#isPostgresql ? 'json_build_object' : 'json_object'}('name', ${name}, 'age', ${age}, 'address', ${address}) AS TEXT)`
  }
}

/** SQL of a change's columns, in the order of {@link COLUMNS}. */
function changeColumns (change: { readonly [Field in keyof typeof CHANGE]: string }): string {
  return `${Object.values(change).join(', ')}, ${columns(CONTEXT, 'entry')}`
}

/** SQL of the names of the changed fields. */
function changedFields (after: Values | null): string {
  if (after === null) return ALL_FIELDS
  const field = (name: keyof Values) => `CASE WHEN ${CURRENT[name]} <> ${after[name]} THEN '${name}' END`
  return `concat_ws(',', ${field('name')}, ${field('age')}, ${field('address')})`
}
