import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columnOf, columns } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { audit } from '../../generated/tables.js'

/** Events of requests. Commands record their own names. */
export const REQUEST_EVENTS = ['sign-in', 'sign-out', 'password', 'profile', 'registration', 'grant', 'token', 'revocation', 'refusal', 'mail'] as const

const { rank: _, ...LISTED } = audit.columns

/** An event: what happened, when, and who did it. */
export interface AuditRow extends Omit<Row<typeof LISTED>, 'details'> {
  /** Never a token, code, password or query. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Conditions that rows must match; missing ones match all. */
interface AuditFilter {
  readonly since?: Date | undefined
  readonly event?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  /** Id of a row, for paging: only rows before it. */
  readonly before?: string | undefined
}

/** An event to add. */
export interface NewAuditRow extends AuditRow {
  /** Whether an unauthenticated caller caused it: such rows are removed first. */
  readonly isUnproven?: boolean
}

/** The audit trail. Append-only: rows are added, expire and are removed if there are too many, but never change. */
export interface Audit {
  /** Adds rows, and removes those that are then beyond `maxRows`, as {@link Audit.trim} does. Idempotent: existing ids are skipped. */
  add (rows: readonly NewAuditRow[], maxRows?: number): Promise<void>
  /** The newest matching rows, newest first. */
  list (filter: AuditFilter, limit: number): Promise<AuditRow[]>
  /** How many rows there are. */
  count (): Promise<number>
  /**
   * Removes up to `limit` rows beyond `maxRows`: first those of unauthenticated callers, then those of people and apps, oldest first.
   * Those of operators stay. Returns how many.
   */
  trim (maxRows: number, limit: number): Promise<number>
  /** Removes up to `limit` rows older than `before`. Returns how many. */
  sweep (before: Date, limit: number): Promise<number>
}

/** Rows per statement: more would block SQLite for longer than a request may wait. */
const ROWS_PER_STATEMENT = 128

/** Whose rows are removed first, and those that are not removed before their time. */
const RANK = { unproven: 0, proven: 1, operator: 2 } as const

/** Adds rows, and changes their count, as steps of a transaction. Returns the count; `undefined` if all existed. */
type Addition = (rows: readonly NewAuditRow[]) => Steps<number | undefined>

function createAddition (connection: Connection): Addition {
  const addition = listStatement(connection, {
    entry: audit.columns,
    sql: entries => `
      INSERT INTO audit (${columnNames(audit.columns)}) SELECT ${columns(audit.columns, 'entry')} FROM ${entries} WHERE true
      ON CONFLICT DO NOTHING RETURNING id`,
    row: { id: 'string' }
  })
  return function * (rows) {
    const added = yield * addition.step(rows.map(row => ({ ...row, details: JSON.stringify(row.details), rank: rankOf(row) })))
    return added.length === 0 ? undefined : yield * changeCount(connection, added.length)
  }
}

/** Changes the count of rows, and returns it. Its row lock orders transactions, so that there are never more rows than allowed. */
function * changeCount (connection: Connection, by: number): Steps<number> {
  const [row] = yield * queryStep(connection, { total: 'int' }, sql`
    INSERT INTO audit_count (id, total) VALUES (1, ${by}) ON CONFLICT (id) DO UPDATE SET total = audit_count.total + ${by} RETURNING total`)
  return row?.total ?? 0
}

/**
 * A connection that adds rows to the audit trail in each of its transactions that does not return `false` or `null`: a change and its
 * record are one.
 * @param rows evaluated at the end of the transaction, with its result, and again for a retry
 */
export function recording (connection: Connection, rows: (done: unknown) => readonly NewAuditRow[]): Connection {
  const add = createAddition(connection)
  return {
    ...connection,
    transact: (steps, mode) => connection.transact(function * () {
      const done = yield * steps()
      if (done === false || done === null) return done
      const all = rows(done)
      for (let at = 0; at < all.length; at += ROWS_PER_STATEMENT) yield * add(all.slice(at, at + ROWS_PER_STATEMENT))
      return done
    }, mode)
  }
}

/** {@link Audit} in a database. */
export function openAudit (connection: Connection): Audit {
  const add = createAddition(connection)
  const change = (by: number) => changeCount(connection, by)

  /** Removes rows; to be called after {@link change}. @param which rows, with their order and number */
  function * remove (which: Sql): Steps<number> {
    const removed = yield * queryStep(connection, { id: 'string' }, sql`
      DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE ${which}) RETURNING id`)
    if (removed.length > 0) yield * change(-removed.length)
    return removed.length
  }

  function * trim (total: number, maxRows: number, limit: number): Steps<number> {
    if (total <= maxRows) return 0
    return yield * remove(sql`rank < ${RANK.operator} ORDER BY rank, id LIMIT ${Math.min(total - maxRows, limit)}`)
  }

  return {
    async add (rows, maxRows = Infinity) {
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await connection.transact(function * () {
          const total = yield * add(rows.slice(at, at + ROWS_PER_STATEMENT))
          if (total !== undefined) yield * trim(total, maxRows, 2 * ROWS_PER_STATEMENT)
        })
      }
    },
    async list ({ since, before, ...filter }, limit) {
      const conditions = (['event', 'userId', 'clientId', 'requestId'] as const)
        .flatMap(field => filter[field] === undefined ? [] : [sql`${raw(columnOf(field))} = ${filter[field]}`])
      // The id holds the time, so that one index serves both the filter and the order.
      if (since !== undefined) conditions.push(sql`id >= ${leastTimeId(since)}`)
      if (before !== undefined) conditions.push(sql`id < ${before}`)
      const rows = await query(connection, LISTED, sql`
        SELECT ${raw(columnNames(LISTED))} FROM audit WHERE ${join([sql`true`, ...conditions], ' AND ')} ORDER BY id DESC LIMIT ${limit}`)
      return rows.map(row => ({ ...row, details: JSON.parse(row.details) }))
    },
    count: async () => (await query(connection, { total: 'int' }, sql`SELECT total FROM audit_count`))[0]?.total ?? 0,
    trim: (maxRows, limit) => connection.transact(function * () {
      return yield * trim(yield * change(0), maxRows, limit)
    }),
    sweep: (before, limit) => connection.transact(function * () {
      yield * change(0)
      return yield * remove(sql`id < ${leastTimeId(before)} ORDER BY id LIMIT ${limit}`)
    })
  }
}

function rankOf ({ source, isUnproven = false }: NewAuditRow): number {
  return source === 'cli' ? RANK.operator : isUnproven ? RANK.unproven : RANK.proven
}

/** Says that the audit trail has so many rows that an operator should look, at 80 % of the limit; `null` if it has not. */
export function describeFullAudit (rows: number, maxRows: number): string | null {
  if (rows < 0.8 * maxRows) return null
  return `holds ${rows} rows of at most ${maxRows}${rows < maxRows ? '' : '; the oldest are removed before their time'}`
}
