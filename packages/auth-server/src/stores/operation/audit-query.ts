import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columnNames, columnOf, pick } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { setImmediate } from 'node:timers/promises'
import { audit } from '../../generated/tables.js'
import { LISTED, type AuditRow } from './audit-row.js'

/** Conditions of rows. A missing one matches all rows. */
export interface AuditFilter {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly event?: string | undefined
  readonly outcome?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly source?: string | undefined
  readonly requestId?: string | undefined
  /** Cursor: only rows before the one with this id. */
  readonly before?: string | undefined
}

/** Matching rows, newest first. `next`: `before` of the next page; `null`: this is the last one. */
interface AuditPage { readonly rows: readonly AuditRow[], readonly next: string | null }

export interface AuditQuery {
  find (id: string): Promise<AuditRow | null>
  /** The newest matching rows, newest first: all up to `limit`, however many rows are read. */
  list (filter: AuditFilter, limit: number): Promise<AuditRow[]>
  /** At most `limit` of the next {@link MAX_SCANNED} rows. A page can have fewer rows, or none, although there is a next one. */
  page (filter: AuditFilter, limit: number): Promise<AuditPage>
}

/** Rows that a page reads, and that one statement reads of them: few enough for the planner to read an index in its order. */
const [MAX_SCANNED, BATCH_SIZE] = [10_000, 1_000]

/** Columns with an index, the most selective first: the first of those in a filter is looked up. */
const INDEXED = ['requestId', 'userId', 'clientId', 'event'] as const
type Key = typeof INDEXED[number]
const FIELDS = [...INDEXED, 'outcome', 'source'] as const

/** Ids that are less and greater than those of all rows. */
const [LEAST, GREATEST] = ['', 'z']

export function openAuditQuery (connection: Connection): AuditQuery {
  const listed = raw(columnNames(LISTED))

  function rowsOf (filter: AuditFilter, key: Key | undefined, before: string): { where: Sql, order: Sql } {
    if (key === undefined) return { where: sql`id >= ${oldestOf(filter)} AND id < ${before}`, order: sql`id DESC` }
    return newestOf(key, filter[key], before)
  }

  async function page (filter: AuditFilter, limit: number): Promise<AuditPage> {
    const oldest = oldestOf(filter)
    const key = INDEXED.find(field => filter[field] !== undefined)
    const others = FIELDS.filter(field => field !== key && filter[field] !== undefined)
    let before = [filter.before ?? GREATEST, filter.until === undefined ? GREATEST : leastTimeId(filter.until)].sort()[0]!
    const found: AuditRow[] = []
    const pageAt = (next: string | null) =>
      found.length > limit ? { rows: found.slice(0, limit), next: found[limit - 1]!.id } : { rows: found, next }
    if (others.length === 0) {
      const { where, order } = rowsOf(filter, key, before)
      const rows = await query(connection, LISTED, sql`SELECT ${listed} FROM audit WHERE ${where} ORDER BY ${order} LIMIT ${limit + 1}`)
      found.push(...rows.filter(({ id }) => id >= oldest).map(parse))
      return pageAt(null)
    }
    const isMatch = join([sql`id >= ${oldest}`, ...others.map(field => sql`${raw(columnOf(field))} = ${filter[field]}`)], ' AND ')
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += BATCH_SIZE) {
      const { where, order } = rowsOf(filter, key, before)
      const [last] = await query(connection, pick(audit, 'id'), sql`
        SELECT id FROM audit WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ${BATCH_SIZE - 1}`)
      const rows = await query(connection, LISTED, sql`
        SELECT ${listed} FROM (SELECT * FROM audit WHERE ${where} ORDER BY ${order} LIMIT ${BATCH_SIZE}) AS batch
        WHERE ${isMatch} ORDER BY ${order} LIMIT ${limit + 1 - found.length}`)
      found.push(...rows.map(parse))
      if (found.length > limit || last === undefined || last.id < oldest) return pageAt(null)
      before = last.id
      // Other requests do not wait for the whole search.
      await setImmediate()
    }
    return pageAt(before)
  }

  return {
    page,
    async find (id) {
      const [found] = await query(connection, LISTED, sql`SELECT ${listed} FROM audit WHERE id = ${id}`)
      return found === undefined ? null : parse(found)
    },
    async list ({ before, ...filter }, limit) {
      const found: AuditRow[] = []
      let next: string | null | undefined = before
      do {
        const more = await page({ ...filter, before: next }, limit - found.length)
        found.push(...more.rows)
        next = more.next
      } while (next !== null && found.length < limit)
      return found
    }
  }
}

/**
 * SQL of the rows with a key before an id, newest first. One index serves both the condition and the order, because ids contain the
 * time. The caller limits the rows and then checks the oldest id: PostgreSQL would read all rows of the key below such a bound.
 */
export function newestOf (key: Key, value: string | undefined, before = GREATEST): { readonly where: Sql, readonly order: Sql } {
  const column = raw(columnOf(key))
  // Rows are compared, not columns: only the index on both has this order, so that no planner reads another one to its end.
  const where = sql`(${column}, id) >= (${value}, ${LEAST}) AND (${column}, id) < (${value}, ${before})`
  return { where, order: sql`${column} DESC, id DESC` }
}

/** The least id of a row that is not too old. */
function oldestOf ({ since }: AuditFilter): string {
  return since === undefined ? LEAST : leastTimeId(since)
}

function parse (row: Row<typeof LISTED>): AuditRow {
  return { ...row, details: JSON.parse(row.details) }
}
