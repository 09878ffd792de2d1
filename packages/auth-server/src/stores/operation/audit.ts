import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { executeStep, query, queryStep, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { audit } from '../../generated/tables.js'
import { openAuditQuery, type AuditQuery } from './audit-query.js'
import type { NewAuditRow } from './audit-row.js'

/** Events of requests. A command's event is its name. */
export const REQUEST_EVENTS = [
  'sign-in', 'sign-out', 'password', 'profile', 'registration', 'grant', 'token', 'revocation', 'refusal', 'mail'
] as const

/** The audit trail. Append-only: rows never change. They are removed once they expire, or if there are too many. */
export interface Audit extends AuditQuery {
  /** Adds rows, then trims the trail to `maxRows` as {@link Audit.trim} does. Idempotent: skips existing ids. */
  add (rows: readonly NewAuditRow[], maxRows?: number): Promise<void>
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
    ...openAuditQuery(connection),
    async add (rows, maxRows = Infinity) {
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await connection.transact(function * () {
          const total = yield * add(rows.slice(at, at + ROWS_PER_STATEMENT))
          if (total !== undefined) yield * trim(total, maxRows, 2 * ROWS_PER_STATEMENT)
        })
      }
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

function trimRank ({ isUnproven = false, isOperators = false }: NewAuditRow): number {
  return isOperators ? RANK.operator : isUnproven ? RANK.unproven : RANK.proven
}

/** Warns an operator from 80 % of the limit on; else `null`. */
export function describeFullAudit (rows: number, maxRows: number): string | null {
  if (rows < 0.8 * maxRows) return null
  return `holds ${rows} rows of at most ${maxRows}${rows < maxRows ? '' : '; the oldest are removed before their time'}`
}
