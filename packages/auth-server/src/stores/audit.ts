import type { Connection } from '@frontdesk/database/connection'
import { sql } from '@frontdesk/database/sql'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Database } from './database.js'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { sweepRows } from './sweep.js'

/** Events of requests. Commands record their own names. */
export const REQUEST_EVENTS = ['sign-in', 'sign-out', 'password', 'profile', 'registration', 'grant', 'token', 'revocation', 'refusal', 'mail'] as const

/** An event: what happened, when, and who did it. */
export interface AuditRow {
  /** UUID of version 7: sorts by time. */
  readonly id: string
  readonly at: Date
  /** `sign-in`, `grant`, `client add`… */
  readonly event: string
  /** How it ended; the error code of a refusal. */
  readonly outcome: string
  readonly userId: string | null
  readonly clientId: string | null
  /** The source address as used for throttling, or `cli`. */
  readonly source: string | null
  /** The reference that an error page shows. */
  readonly requestId: string | null
  /** Never a token, code, password or query. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Conditions that rows must match; missing ones match all. */
export interface AuditFilter {
  readonly since?: Date | undefined
  readonly event?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  /** Id of a row, for paging: only rows before it. */
  readonly before?: string | undefined
}

/** The audit trail. Append-only: rows are added and expire, but never change. */
export interface Audit {
  /** Adds rows. Idempotent: existing ids are skipped. */
  add (rows: readonly AuditRow[]): Promise<void>
  /** The newest matching rows, newest first. */
  list (filter: AuditFilter, limit: number): Promise<AuditRow[]>
  /** Removes up to `limit` rows older than `before`. Returns how many. */
  sweep (before: Date, limit: number): Promise<number>
}

/** Rows per statement: more would block SQLite for longer than a request may wait. */
const SIZE = 128

/** {@link Audit} in a database. */
export function openAudit (database: Database, connection: Connection): Audit {
  const addition = new ValuesStatement(connection, list => `
    INSERT INTO audit (id, at, event, outcome, user_id, client_id, source, request_id, details) ${list} ON CONFLICT DO NOTHING RETURNING id`,
  ['string', 'datetime', 'string', 'string', 'string', 'string', 'string', 'string', 'string'])
  return {
    async add (rows) {
      const values = rows.map(({ id, at, event, outcome, userId, clientId, source, requestId, details }) =>
        [id, at, event, outcome, userId, clientId, source, requestId, JSON.stringify(details)])
      for (let at = 0; at < values.length; at += SIZE) await addition.run(values.slice(at, at + SIZE))
    },
    async list ({ since, before, ...filter }, limit) {
      // The id holds the time, so that one index serves both the filter and the order.
      const id = { ...(since && { gte: leastTimeId(since) }), ...(before && { lt: before }) }
      const { audit } = await database()
      const rows = await audit.findMany({ where: { ...defined(filter), id }, orderBy: { id: 'desc' }, take: limit })
      return rows.map(row => ({ ...row, details: JSON.parse(row.details) }))
    },
    async sweep (before, limit) {
      return await sweepRows(connection, { table: 'audit', key: 'id', where: sql`id < ${leastTimeId(before)} ORDER BY id` }, limit)
    }
  }
}

function defined<T extends object> (filter: T): { [K in keyof T]: NonNullable<T[K]> } {
  // as: what is left has values.
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as { [K in keyof T]: NonNullable<T[K]> }
}
