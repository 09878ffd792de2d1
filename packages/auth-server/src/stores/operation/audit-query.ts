import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columnOf } from '@frontdesk/database/table'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { setImmediate } from 'node:timers/promises'
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
const FIELDS = [...INDEXED, 'outcome', 'source'] as const

/** Ids that are less and greater than those of all rows. */
const [LEAST, GREATEST] = ['', 'z']

export function openAuditQuery (connection: Connection): AuditQuery {
  const listed = raw(columnNames(LISTED))

  /** Reads the rows of a key before one. */
  async function read (filter: AuditFilter, key: typeof INDEXED[number] | undefined, before: string, limit: number) {
    // Ids contain the time, so that one index serves the filter and the order.
    const from = filter.since === undefined ? LEAST : leastTimeId(filter.since)
    if (key === undefined) {
      return await query(connection, LISTED, sql`
        SELECT ${listed} FROM audit WHERE id >= ${from} AND id < ${before} ORDER BY id DESC LIMIT ${limit}`)
    }
    const column = raw(columnOf(key))
    // Rows are compared, not columns: only the index on both has this order, so that no planner reads another one to its end.
    return await query(connection, LISTED, sql`
      SELECT ${listed} FROM audit WHERE (${column}, id) >= (${filter[key]}, ${from}) AND (${column}, id) < (${filter[key]}, ${before})
      ORDER BY ${column} DESC, id DESC LIMIT ${limit}`)
  }

  async function page (filter: AuditFilter, limit: number): Promise<AuditPage> {
    const key = INDEXED.find(field => filter[field] !== undefined)
    const others = FIELDS.filter(field => field !== key && filter[field] !== undefined)
    const size = others.length === 0 ? limit + 1 : BATCH_SIZE
    let before = [filter.before ?? GREATEST, filter.until === undefined ? GREATEST : leastTimeId(filter.until)].sort()[0]!
    const found: AuditRow[] = []
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += size) {
      const batch = await read(filter, key, before, size)
      const matching = batch.filter(row => others.every(field => row[field] === filter[field]))
      found.push(...matching.map(parse))
      if (found.length > limit) return { rows: found.slice(0, limit), next: found[limit - 1]!.id }
      if (batch.length < size) return { rows: found, next: null }
      before = batch.at(-1)!.id
      // Other requests do not wait for the whole search.
      await setImmediate()
    }
    return { rows: found, next: before }
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

function parse (row: Row<typeof LISTED>): AuditRow {
  return { ...row, details: JSON.parse(row.details) }
}
