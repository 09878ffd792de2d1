import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columnNames, pick } from '@frontdesk/database/table'
import { customer, customerChange, idempotencyKey } from '../../generated/tables.js'
import { DAY_MS, type Retention } from '../../settings/retention.js'
import { MERGED, ofPerson, selectMerged } from './merged.js'
import { successorStatement } from './successor.js'

/** Maximum customers that were merged into one, of which its history has the changes. */
const MAX_MERGED = 100

/** Maximum stored responses that a call returns. */
const MAX_ANSWERS = 1_000

const CHANGE = pick(
  customerChange, 'seq', 'customerId', 'version', 'kind', 'at', 'sub', 'clientId', 'requestId', 'operationId', 'successor', 'before', 'after'
)
const STATE = pick(customerChange, 'kind', 'before', 'after')
const VALUES = pick(customer, 'name', 'age', 'address')
const CUSTOMER = { ...VALUES, ...pick(customer, 'version', 'createdAt', 'updatedAt') }
const ANSWER = pick(idempotencyKey, 'version', 'createdAt', 'expiresAt')

/** The values of a customer at some time. */
export type Values = Row<typeof VALUES>

/** A change of a customer; `null`: there was no customer, or the values are no longer kept. */
export interface PastChange extends Omit<Row<typeof CHANGE>, 'before' | 'after'> {
  readonly before: Values | null
  readonly after: Values | null
}

/** The data about a customer, except for its changes. */
export interface StoredData {
  /** `null`: there is none, or it was removed. */
  readonly customer: Row<typeof CUSTOMER> | null
  /** Responses to requests with an Idempotency-Key, newest first; `version` is `null` if the number was already in use. */
  readonly answers: Array<Row<typeof ANSWER>>
}

export function openHistory (connection: Connection, clock: Pick<Clock, 'now'>, { historyDays }: Retention) {
  const findSuccessors = successorStatement(connection)

  return {
    async findData (customerId: number): Promise<StoredData> {
      const customer = await findCustomer(customerId) ?? null
      const merged = await findMerged(customerId)
      const answers = await query(connection, ANSWER, sql`
        SELECT ${raw(columnNames(ANSWER))} FROM idempotency_key WHERE ${join(ofPerson(customerId, merged), ' OR ')}
        ORDER BY created_at DESC LIMIT ${MAX_ANSWERS}`)
      return { customer, answers }
    },

    /**
     * Lists the changes of a customer, and of those that were merged into it, newest first.
     * @param before only those with a lower `seq`
     */
    async list (customerId: number, limit: number, before?: bigint): Promise<PastChange[]> {
      const until = before === undefined ? raw('') : sql`AND seq < ${before}`
      const merged = (await findMerged(customerId)).map(({ id, seq }) => sql`customer_id = ${id} AND seq <= ${seq}`)
      // Each by itself, because no index has the order of several customers.
      const parts = [sql`customer_id = ${customerId}`, ...merged].map(condition => sql`
        SELECT * FROM (SELECT ${raw(columnNames(CHANGE))} FROM customer_change WHERE ${condition} ${until}
        ORDER BY seq DESC LIMIT ${limit}) AS part`)
      const rows = await query(connection, CHANGE, sql`${join(parts, ' UNION ALL ')} ORDER BY seq DESC LIMIT ${limit}`)
      return rows.map(({ operationId, ...row }) => {
        const [before, after] = [parseValues(row.before), parseValues(row.after)]
        // An operation is kept as long as the values.
        return { ...row, operationId: before === null && after === null ? null : operationId, before, after }
      })
    },

    /** Finds the customer that another one was merged into: see {@link successorStatement}. */
    async findSuccessor (customerId: number): Promise<number | null> {
      const [found] = await findSuccessors.run([{ id: customerId }])
      return found?.successor ?? null
    },

    /** Finds a customer's values at a time; `absent`: there was no customer; `not retained`: the history does not go back so far. */
    async find (customerId: number, time: Date): Promise<Values | 'absent' | 'not retained' | 'future'> {
      const now = clock.now()
      if (time > now) return 'future'
      // The customer first, so that a concurrent change is found below, with the values before it.
      const customer = await findCustomer(customerId)
      const isUnchanged = customer !== undefined && customer.updatedAt <= time
      const kept = now.getTime() - historyDays * DAY_MS
      const next = await findFirst(sql`customer_id = ${customerId} AND at > ${time} ORDER BY seq`)
      if (next === undefined && isUnchanged) return pickValues(customer)
      if (historyDays === 0 || time.getTime() < kept) return 'not retained'
      const without = (kinds: readonly string[], { kind }: { kind: string }) => kinds.includes(kind) ? 'absent' : 'not retained'
      const last = await findFirst(sql`customer_id = ${customerId} AND at <= ${time} ORDER BY seq DESC`)
      if (last !== undefined) return parseValues(last.after) ?? without(['removed', 'merged', 'erased'], last)
      if (next !== undefined) return parseValues(next.before) ?? without(['registered', 'restored'], next)
      return customer === undefined || customer.createdAt > time ? 'absent' : 'not retained'
    }
  }

  async function findMerged (id: number) {
    return await query(connection, MERGED, sql`${selectMerged(id)} LIMIT ${MAX_MERGED}`)
  }

  async function findCustomer (id: number) {
    const [found] = await query(connection, CUSTOMER, sql`SELECT ${raw(columnNames(CUSTOMER))} FROM customer WHERE id = ${id}`)
    return found
  }

  async function findFirst (condition: Sql) {
    const [row] = await query(connection, STATE, sql`SELECT ${raw(columnNames(STATE))} FROM customer_change WHERE ${condition} LIMIT 1`)
    return row
  }
}

function pickValues ({ name, age, address }: Values): Values {
  return { name, age, address }
}

/** Parses the stored values of a change. */
export function parseValues (text: string | null): Values | null {
  // as: the statements that record changes wrote it.
  return text === null ? null : JSON.parse(text) as Values
}
