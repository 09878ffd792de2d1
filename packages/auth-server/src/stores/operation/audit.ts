import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { query, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { audit } from '../../generated/tables.js'
import { changeCount, lockCount } from './audit-count.js'
import { openAuditQuery, type AuditQuery } from './audit-query.js'
import { createRemoval } from './audit-removal.js'
import type { NewAuditRow } from './audit-row.js'

/** Events of requests. A command's event is its name. */
export const REQUEST_EVENTS = [
  'sign-in', 'sign-out', 'sign-up', 'password', 'factor', 'upstream', 'not-me', 'profile', 'registration', 'grant', 'token', 'revocation',
  'refusal', 'mail'
] as const

/** How to remove rows beyond a limit. */
export interface Trimming {
  readonly maxRows: number
  /** The seals' key: seals record what is removed. */
  readonly key: Uint8Array
}

/** The audit trail. Append-only: rows never change. They are removed once they expire, or if there are too many. */
export interface Audit extends AuditQuery {
  /** Adds rows, then trims the trail as {@link Audit.trim} does. Idempotent: skips existing ids. */
  add (rows: readonly NewAuditRow[], trimming?: Trimming): Promise<void>
  count (): Promise<number>
  /**
   * Removes up to `limit` rows beyond `maxRows`: first those of unauthenticated requests, then those of users and clients, oldest
   * first. Operators' rows stay. Returns how many.
   */
  trim (trimming: Trimming, limit: number): Promise<number>
  /** Removes up to `limit` rows older than `before`. Returns how many. @param key the seals' key */
  sweep (before: Date, limit: number, key: Uint8Array): Promise<number>
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
    const { total, last } = yield * changeCount(connection, { by: rows.length, positions: rows.length })
    const added = yield * addition.step(rows.map((row, index) => ({
      ...row, details: JSON.stringify(row.details), rank: trimRank(row), position: last - BigInt(index)
    })))
    if (added.length < rows.length) yield * changeCount(connection, { by: added.length - rows.length })
    return added.length === 0 ? undefined : total - rows.length + added.length
  }
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
  const remove = createRemoval(connection)

  function * trim (total: number, { maxRows, key }: Trimming, limit: number): Steps<number> {
    if (total <= maxRows) return 0
    return yield * remove(sql`rank < ${RANK.operator} ORDER BY rank, id LIMIT ${Math.min(total - maxRows, limit)}`, key)
  }

  return {
    ...openAuditQuery(connection),
    async add (rows, trimming) {
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await connection.transact(function * () {
          const total = yield * add(rows.slice(at, at + ROWS_PER_STATEMENT))
          if (total !== undefined && trimming !== undefined) yield * trim(total, trimming, 2 * ROWS_PER_STATEMENT)
        })
      }
    },
    count: async () => (await query(connection, { total: 'int' }, sql`SELECT total FROM audit_count`))[0]?.total ?? 0,
    trim: (trimming, limit) => connection.transact(function * () {
      const { total } = yield * lockCount(connection)
      return yield * trim(total, trimming, limit)
    }),
    sweep: (before, limit, key) => connection.transact(function * () {
      yield * lockCount(connection)
      return yield * remove(sql`id < ${leastTimeId(before)} ORDER BY id LIMIT ${limit}`, key)
    })
  }
}

function trimRank ({ isUnproven = false, isOperators = false }: NewAuditRow): number {
  return isOperators ? RANK.operator : isUnproven ? RANK.unproven : RANK.proven
}

/** Whether there is little room for more rows. */
export function isAlmostFull (rows: number, maxRows: number): boolean {
  return rows >= 0.8 * maxRows
}

/** Warns an operator from 80 % of the limit on; else `null`. */
export function describeFullAudit (rows: number, maxRows: number): string | null {
  if (!isAlmostFull(rows, maxRows)) return null
  return `holds ${rows} rows of at most ${maxRows}${rows < maxRows ? '' : '; the oldest are removed before their time'}`
}
