import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columnNames, pick } from '@frontdesk/database/table'
import { customer, customerChange, idempotencyKey } from '../../generated/tables.js'
import type { Retention } from '../../settings/retention.js'

const DAY_MS = 24 * 3_600_000

/** Stored answers that one call returns, at most. */
const MAX_ANSWERS = 1_000

const CHANGE = pick(customerChange, 'seq', 'version', 'kind', 'at', 'sub', 'clientId', 'requestId', 'before', 'after')
const STATE = pick(customerChange, 'kind', 'before', 'after')
const VALUES = pick(customer, 'name', 'age', 'address')
const CUSTOMER = { ...VALUES, ...pick(customer, 'version', 'createdAt', 'updatedAt') }
const ANSWER = pick(idempotencyKey, 'version', 'createdAt', 'expiresAt')

/** What a customer was. */
export type Values = Row<typeof VALUES>

/** A change of a customer. `null`: there was no customer, or the values are no longer kept. */
export interface PastChange extends Omit<Row<typeof CHANGE>, 'before' | 'after'> {
  readonly before: Values | null
  readonly after: Values | null
}

/** What is held about a customer, except for its changes. */
export interface Held {
  /** `null`: there is none, or it was removed. */
  readonly customer: Row<typeof CUSTOMER> | null
  /** Answers to requests with an Idempotency-Key, newest first; `version` is `null` if the number was taken. */
  readonly answers: Array<Row<typeof ANSWER>>
}

/** The history of customers. */
export function openHistory (connection: Connection, clock: Pick<Clock, 'now'>, { historyDays }: Retention) {
  return {
    /** What else is held about a customer. */
    async findHeld (customerId: number): Promise<Held> {
      const customer = await findCustomer(customerId) ?? null
      const answers = await query(connection, ANSWER, sql`
        SELECT ${raw(columnNames(ANSWER))} FROM idempotency_key WHERE customer_id = ${customerId} ORDER BY created_at DESC LIMIT ${MAX_ANSWERS}`)
      return { customer, answers }
    },

    /** The changes of a customer, newest first. @param before only those with a lower `seq` */
    async list (customerId: number, limit: number, before?: bigint): Promise<PastChange[]> {
      const rows = await query(connection, CHANGE, sql`
        SELECT ${raw(columnNames(CHANGE))} FROM customer_change
        WHERE customer_id = ${customerId} ${before === undefined ? raw('') : sql`AND seq < ${before}`} ORDER BY seq DESC LIMIT ${limit}`)
      return rows.map(row => ({ ...row, before: parseValues(row.before), after: parseValues(row.after) }))
    },

    /** What a customer was at a time; `absent`: there was none; `unkept`: the history does not go back so far. */
    async find (customerId: number, time: Date): Promise<Values | 'absent' | 'unkept' | 'future'> {
      const now = clock.now()
      if (time > now) return 'future'
      // The customer first: a change meanwhile is then found below, with the values before it.
      const customer = await findCustomer(customerId)
      const isUnchanged = customer !== undefined && customer.updatedAt <= time
      const kept = now.getTime() - historyDays * DAY_MS
      const next = await firstOf(sql`customer_id = ${customerId} AND at > ${time} ORDER BY seq`)
      if (next === undefined && isUnchanged) return valuesOf(customer)
      if (historyDays === 0 || time.getTime() < kept) return 'unkept'
      const last = await firstOf(sql`customer_id = ${customerId} AND at <= ${time} ORDER BY seq DESC`)
      if (last !== undefined) return parseValues(last.after) ?? (last.kind === 'removed' || last.kind === 'erased' ? 'absent' : 'unkept')
      if (next !== undefined) return parseValues(next.before) ?? (next.kind === 'registered' || next.kind === 'restored' ? 'absent' : 'unkept')
      return customer === undefined || customer.createdAt > time ? 'absent' : 'unkept'
    }
  }

  async function findCustomer (id: number) {
    const [found] = await query(connection, CUSTOMER, sql`SELECT ${raw(columnNames(CUSTOMER))} FROM customer WHERE id = ${id}`)
    return found
  }

  async function firstOf (condition: Sql) {
    const [row] = await query(connection, STATE, sql`SELECT ${raw(columnNames(STATE))} FROM customer_change WHERE ${condition} LIMIT 1`)
    return row
  }
}

function valuesOf ({ name, age, address }: Values): Values {
  return { name, age, address }
}

/** Reads the values of a change, as they are stored. */
export function parseValues (text: string | null): Values | null {
  // as: the statements that record changes wrote it.
  return text === null ? null : JSON.parse(text) as Values
}
