import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columnOf, columns } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { audit } from '../../generated/tables.js'

/** Events of requests. A command's event is its name. */
export const REQUEST_EVENTS = ['sign-in', 'sign-out', 'password', 'profile', 'registration', 'grant', 'token', 'revocation', 'refusal', 'mail'] as const

const { rank: _, ...LISTED } = audit.columns

/** An event: what happened, when, and who did it. */
export interface AuditRow extends Omit<Row<typeof LISTED>, 'details'> {
  /** Never contains a token, code, password or query string. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Conditions of rows. A missing one matches all rows. */
interface AuditFilter {
  readonly since?: Date | undefined
  readonly event?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  /** Cursor: only rows before the one with this id. */
  readonly before?: string | undefined
}

/** An event to add. */
export interface NewAuditRow extends AuditRow {
  /** Whether an unauthenticated request caused it: these rows are removed first. */
  readonly isUnproven?: boolean
}

/** The audit trail. Append-only: rows never change. They are removed once they expire, or if there are too many. */
export interface Audit {
  /** Adds rows, then trims the trail to `maxRows` as {@link Audit.trim} does. Idempotent: skips existing ids. */
  add (rows: readonly NewAuditRow[], maxRows?: number): Promise<void>
  /** The newest matching rows, newest first. */
  list (filter: AuditFilter, limit: number): Promise<AuditRow[]>
  count (): Promise<number>
  /**
   * Removes up to `limit` rows beyond `maxRows`: first those of unauthenticated requests, then those of users and clients, oldest
   * first. Operators' rows stay. Returns how many.
   */
  trim (maxRows: number, limit: number): Promise<number>
  /** Removes up to `limit` rows older than `before`. Returns how many. */
  sweep (before: Date, limit: number): Promise<number>
}

/** More rows per statement would block SQLite for longer than a request can wait. */
const ROWS_PER_STATEMENT = 128

/** The order in which rows are trimmed; operators' rows are not. */
const RANK = { unproven: 0, proven: 1, operator: 2 } as const

/** Makes the steps that add rows and change their count. They return the count; `undefined` if all rows existed. */
function createAddition (connection: Connection): (rows: readonly NewAuditRow[]) => Steps<number | undefined> {
  const addition = listStatement(connection, {
    entry: audit.columns,
    sql: entries => `
      INSERT INTO audit (${columnNames(audit.columns)}) SELECT ${columns(audit.columns, 'entry')} FROM ${entries} WHERE true
      ON CONFLICT DO NOTHING RETURNING id`,
    row: { id: 'string' }
  })
  return function * (rows) {
    const added = yield * addition.step(rows.map(row => ({ ...row, details: JSON.stringify(row.details), rank: trimRank(row) })))
    return added.length === 0 ? undefined : yield * changeCount(connection, added.length)
  }
}

/** Changes the count of rows, and returns it. Its row lock serializes transactions, so that there are never too many rows. */
function * changeCount (connection: Connection, by: number): Steps<number> {
  const [row] = yield * queryStep(connection, { total: 'int' }, sql`
    INSERT INTO audit_count (id, total) VALUES (1, ${by}) ON CONFLICT (id) DO UPDATE SET total = audit_count.total + ${by} RETURNING total`)
  return row?.total ?? 0
}

/**
 * A connection that adds rows to the audit trail in each of its transactions, unless it returns `false` or `null`. The change and
 * its record are atomic.
 * @param rows called with the transaction's result at its end, and again for a retry
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

export function openAudit (connection: Connection): Audit {
  const add = createAddition(connection)
  const change = (by: number) => changeCount(connection, by)

  /** Removes rows; to be called after {@link change}. @param which rows, with their order and number */
  function * remove (which: Sql): Steps<number> {
    const removed = yield * executeStep(connection, sql`DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE ${which})`)
    if (removed > 0) yield * change(-removed)
    return removed
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
      // Ids contain the time, so that one index serves the filter and the order.
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

function trimRank ({ source, isUnproven = false }: NewAuditRow): number {
  return source === 'cli' ? RANK.operator : isUnproven ? RANK.unproven : RANK.proven
}

/** Warns an operator from 80 % of the limit on; else `null`. */
export function describeFullAudit (rows: number, maxRows: number): string | null {
  if (rows < 0.8 * maxRows) return null
  return `holds ${rows} rows of at most ${maxRows}${rows < maxRows ? '' : '; the oldest are removed before their time'}`
}
