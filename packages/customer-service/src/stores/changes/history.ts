import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Retention } from '../../settings/retention.js'
import type { Actor } from './change.js'
import { findHeld, type Held } from './held.js'

const DAY_MS = 24 * 3_600_000

const COLUMNS = {
  seq: 'bigint', version: 'int', kind: 'string', at: 'datetime', sub: 'string?', clientId: 'string?', requestId: 'string?', before: 'string?', after: 'string?'
} as const

const STATE = { kind: 'string', at: 'datetime', before: 'string?', after: 'string?' } as const

/** What a customer was. */
export interface Values { name: string, age: number, address: string }

/** A change of a customer. `null`: there was no customer, or the values are no longer kept. */
export interface PastChange extends Actor {
  readonly seq: bigint
  readonly version: number
  readonly kind: string
  readonly at: Date
  readonly before: Values | null
  readonly after: Values | null
}

/** The history of customers. */
export interface History {
  /** The changes of a customer, newest first. @param before only those with a lower `seq` */
  list (customerId: number, limit: number, before?: bigint): Promise<PastChange[]>
  /** What a customer was at a time; `absent`: there was none; `unkept`: the history does not go back so far. */
  find (customerId: number, time: Date): Promise<Values | 'absent' | 'unkept' | 'future'>
  /** What else is held about a customer. */
  findHeld (customerId: number): Promise<Held>
}

/** Opens {@link History}. */
export function openHistory (connection: Connection, clock: Pick<Clock, 'now'>, { historyDays }: Retention): History {
  return {
    findHeld: customerId => findHeld(connection, customerId),

    async list (customerId, limit, before) {
      const rows = await query(connection, COLUMNS, sql`
        SELECT seq, version, kind, at, sub, client_id, request_id, before, after FROM customer_change
        WHERE customer_id = ${customerId} ${before === undefined ? raw('') : sql`AND seq < ${before}`} ORDER BY seq DESC LIMIT ${limit}`)
      return rows.map(row => ({ ...row, before: parseValues(row.before), after: parseValues(row.after) }))
    },

    async find (customerId, time) {
      const now = clock.now()
      if (time > now) return 'future'
      // The customer first: a change meanwhile is then found below, with the values before it.
      const [customer] = await query(
        connection,
        { name: 'string', age: 'int', address: 'string', createdAt: 'datetime', updatedAt: 'datetime' },
        sql`SELECT name, age, address, created_at, updated_at FROM customer WHERE id = ${customerId}`
      )
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

  async function firstOf (condition: Sql) {
    const [row] = await query(connection, STATE, sql`SELECT kind, at, before, after FROM customer_change WHERE ${condition} LIMIT 1`)
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
