import { columnNames } from '@frontdesk/database/table'
import { MIN_INTEGER } from '@frontdesk/schemas/customer'
import { LISTED, type SortKey } from './query.js'

export type Provider = 'sqlite' | 'postgres'

/** A filter that has an index. */
export type Source = 'name' | 'age' | 'updated' | 'words'

/** What the index of each order and filter begins with. */
const KEYS = { id: 'id', name: 'name_fold', age: 'age', address: 'address_key', updated: 'updated_at' } as const

/** On PostgreSQL, `address_key` is no column, but what the index of the migration is on. */
const ADDRESS_KEY = 'substr(address_words, 1, 64)'

/** A statement of this file as PostgreSQL reads it. */
export function toPostgresql (sql: string): string {
  let parameters = 0
  return sql.replaceAll('?', () => `$${++parameters}`).replaceAll('address_key', ADDRESS_KEY)
}

/** The columns of a page: customers, and the text that they are sorted by; for other orders, the folded name. */
export const PAGE = { ...LISTED, folded: 'string?' } as const

const COLUMNS = columnNames(PAGE)

/** What a page is sorted by. */
const PAGE_KEYS = { ...KEYS, name: 'folded', address: 'folded' }

/** Selects {@link PAGE} from `customer`. */
function selectColumns (sort: SortKey): string {
  return `SELECT ${COLUMNS.replace('folded', `${sort === 'address' ? KEYS.address : KEYS.name} AS folded`)}`
}

/**
 * The condition of the filters. It always has every filter, the unused ones with bounds that every customer matches: few
 * texts mean few plans.
 */
function matches (words: number): string {
  const ranges = (['name', 'age', 'updated'] as const).map(source => `${KEYS[source]} >= ? AND ${KEYS[source]} <= ?`)
  return [...ranges, ...Array.from({ length: words }, () => 'name_words || address_words LIKE ?')].join(' AND ')
}

/** Parameters: a position, which is key and identifier, or the identifier alone. The cast allows one beyond both ends. */
function beyond (sort: SortKey, operator: string): string {
  return sort === 'id' ? `id ${operator} CAST(? AS bigint)` : `(${KEYS[sort]}, id) ${operator} (?, CAST(? AS bigint))`
}

function orderBy (sort: SortKey, descending: boolean, keys: Record<SortKey, string> = KEYS): string {
  const direction = descending ? ' DESC' : ''
  return `ORDER BY ${sort === 'id' ? '' : `${keys[sort]}${direction}, `}id${direction}`
}

/** The customers between two positions in an order, without the first and with the last. Parameters: the positions. */
function range (sort: SortKey, descending: boolean): string {
  return `customer WHERE ${beyond(sort, descending ? '<' : '>')} AND ${beyond(sort, descending ? '>=' : '<=')} ${orderBy(sort, descending)}`
}

/** What one index finds: customers, or on SQLite their identifiers. Parameters: the bounds, and how many at most. */
function found (source: Source, provider: Provider): string {
  if (source === 'words') {
    return provider === 'postgres'
      // A subquery: for a constant, the planner would estimate the matches, and read the table if they are many.
      ? 'SELECT * FROM customer WHERE customer_words(name_words, address_words, age) @@ (SELECT CAST(? AS tsquery)) LIMIT ?'
      : 'SELECT rowid AS found_id FROM customer_words WHERE customer_words MATCH ? LIMIT ?'
  }
  const key = KEYS[source]
  return `SELECT ${provider === 'postgres' ? '*' : 'id AS found_id'} FROM customer WHERE ${key} >= ? AND ${key} <= ? ORDER BY ${key}, id LIMIT ?`
}

/** Looks up what {@link found} has found, in this order: the planner has no other choice. */
function lookup (provider: Provider): string {
  return provider === 'postgres' ? 'found' : 'found CROSS JOIN customer ON id = found_id'
}

/** Counts all customers. Parameter: where to stop. */
export const COUNT_ALL = `SELECT COUNT(*) FROM (SELECT id FROM customer WHERE id >= ${MIN_INTEGER} ORDER BY id LIMIT ?) AS found`

/** Counts what one index finds. Parameters: its bounds, and where to stop. */
export function countFound (source: Source, provider: Provider): string {
  return `SELECT COUNT(*) FROM (${found(source, provider).replace('*', 'id')}) AS found`
}

/** Counts what one index finds, and the matches of all filters among it. Parameters: its bounds, where to stop, and the filters. */
export function countMatches (source: Source, words: number, provider: Provider): string {
  return `WITH found AS MATERIALIZED (${found(source, provider)})
    SELECT (SELECT COUNT(*) FROM found), COUNT(*) FROM ${lookup(provider)} WHERE ${matches(words)}`
}

/** The position after a number of customers in a range. Parameters: its two ends, and how many to skip. */
export function selectStop (sort: SortKey, descending: boolean): string {
  // No more columns than the index has.
  return `SELECT ${sort === 'id' ? 'id' : `id, ${KEYS[sort]}`} FROM ${range(sort, descending)} LIMIT 1 OFFSET ?`
}

/** Counts the first customers by identifier, and the matches among them. Parameters: the filters, and how many to examine. */
export function countWalked (words: number): string {
  return `SELECT COUNT(*), COUNT(*) FILTER (WHERE ${matches(words)}) FROM (SELECT * FROM customer WHERE id >= ${MIN_INTEGER} ORDER BY id LIMIT ?) AS walked`
}

/**
 * Walks a range and selects the customers that match. Parameters: its two ends, how many to examine, the filters, and how
 * many to select. The inner limit makes the planner use the index of the order; its result stays in that order.
 */
export function selectWalked (sort: SortKey, descending: boolean, words: number): string {
  return `${selectColumns(sort)} FROM (SELECT * FROM ${range(sort, descending)} LIMIT ?) AS walked WHERE ${matches(words)} LIMIT ?`
}

/** Selects the customers of a range. Parameters: its two ends, and how many. */
export function selectRange (sort: SortKey, descending: boolean): string {
  return `${selectColumns(sort)} FROM ${range(sort, descending)} LIMIT ?`
}

/**
 * Counts what one index finds, and selects a page of the matches among it; no page if it finds too many. Always has a row:
 * without a page, its columns are null. Parameters: the bounds, where to stop, how many are not too many, the filters, the
 * start, and how many to select.
 */
export function selectFound (
  source: Source, { sort, descending }: { sort: SortKey, descending: boolean }, words: number, provider: Provider
): string {
  return `WITH found AS MATERIALIZED (${found(source, provider)}), page AS (
      ${selectColumns(sort)} FROM ${lookup(provider)}
      WHERE (SELECT COUNT(*) FROM found) <= ? AND ${matches(words)} AND ${beyond(sort, descending ? '<' : '>')} ${orderBy(sort, descending)} LIMIT ?
    ) SELECT (SELECT COUNT(*) FROM found), ${COLUMNS} FROM (SELECT 1) AS one LEFT JOIN page ON 1 = 1 ${orderBy(sort, descending, PAGE_KEYS)}`
}
