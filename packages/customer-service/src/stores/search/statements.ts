import { columnNames } from '@frontdesk/database/table'
import { MIN_INTEGER } from '@frontdesk/schemas/customer'
import { LISTED, type SortKey } from './query.js'

export type Provider = 'sqlite' | 'postgres'

/** A filter with an index. */
export type Source = 'id' | 'name' | 'age' | 'updated' | 'words' | 'either'

/** Whether a source looks up words. */
export function hasWords (source: Source): boolean {
  return source === 'words' || source === 'either'
}

/** First column of the index of each order and filter. */
const KEYS = { id: 'id', name: 'name_fold', age: 'age', address: 'address_key', updated: 'updated_at' } as const

/** On PostgreSQL, `address_key` is the expression of the migration's index instead of a column. */
const ADDRESS_KEY = 'substr(address_words, 1, 64)'

/** Converts a statement of this file for PostgreSQL. */
export function toPostgresql (sql: string): string {
  let parameters = 0
  return sql.replaceAll('?', () => `$${++parameters}`).replaceAll('address_key', ADDRESS_KEY)
}

/** Columns of a page: those of customers, and the text to sort by; for other orders, the folded name. */
export const PAGE = { ...LISTED, folded: 'string?' } as const

const COLUMNS = columnNames(PAGE)

/** What a page is sorted by. */
const PAGE_KEYS = { ...KEYS, name: 'folded', address: 'folded' }

/** Selects {@link PAGE} from `customer`. */
function selectColumns (sort: SortKey): string {
  return `SELECT ${COLUMNS.replace('folded', `${sort === 'address' ? KEYS.address : KEYS.name} AS folded`)}`
}

const AGES = '(age >= ? AND age <= ?)'

/** The condition of all filters; unused ones have bounds that every customer matches. Few statements need few plans. */
function matches (words: number): string {
  const ranges = (['name', 'age', 'updated'] as const).map(source => `${KEYS[source]} >= ? AND ${KEYS[source]} <= ?`)
  const patterns = Array.from({ length: words }, () => 'name_words || address_words LIKE ?').join(' AND ')
  const ids = 'id >= CAST(? AS bigint) AND id <= CAST(? AS bigint) AND id <> CAST(? AS bigint)'
  return `${ranges.join(' AND ')} AND ${ids} AND name_fold <> ? AND (id = CAST(? AS bigint) OR ${AGES} OR ${patterns})`
}

/** Parameters: a position, which is key and identifier, or only the identifier. The cast allows one beyond both ends. */
function beyond (sort: SortKey, operator: string): string {
  return sort === 'id' ? `id ${operator} CAST(? AS bigint)` : `(${KEYS[sort]}, id) ${operator} (?, CAST(? AS bigint))`
}

function orderBy (sort: SortKey, descending: boolean, keys: Record<SortKey, string> = KEYS): string {
  const direction = descending ? ' DESC' : ''
  return `ORDER BY ${sort === 'id' ? '' : `${keys[sort]}${direction}, `}id${direction}`
}

/** Customers between two positions, the first exclusive, the last inclusive. Parameters: the positions. */
function range (sort: SortKey, descending: boolean): string {
  return `customer WHERE ${beyond(sort, descending ? '<' : '>')} AND ${beyond(sort, descending ? '>=' : '<=')} ${orderBy(sort, descending)}`
}

// A subquery, because the planner would estimate the matches of a constant, and read the table if they are many.
const TSVECTOR_MATCHES = 'customer_words(name_words, address_words, age) @@ (SELECT CAST(? AS tsquery))'

/** What an index finds: customers or, on SQLite, their identifiers. Parameters: the bounds, and a limit. */
function found (source: Source, provider: Provider): string {
  const selected = provider === 'postgres' ? '*' : 'id AS found_id'
  if (source === 'words') {
    return provider === 'postgres'
      ? `SELECT * FROM customer WHERE ${TSVECTOR_MATCHES} LIMIT ?`
      : 'SELECT rowid AS found_id FROM customer_words WHERE customer_words MATCH ? LIMIT ?'
  }
  if (source === 'either') return `SELECT ${provider === 'postgres' ? '*' : 'found_id'} FROM (${either(selected, provider)}) AS either LIMIT ?`
  if (source === 'id') return `SELECT ${selected} FROM customer WHERE id = CAST(? AS bigint) LIMIT ?`
  const key = KEYS[source]
  return `SELECT ${selected} FROM customer WHERE ${key} >= ? AND ${key} <= ? ORDER BY ${key}, id LIMIT ?`
}

/**
 * The customers of a number, of some ages, or with words, each once. Parameters: those of each part, in this order. Parts have
 * limits so that none is read as a whole. The words come last: few of their matches can have the ages if those are few.
 */
function either (selected: string, provider: Provider): string {
  const words = provider === 'postgres'
    ? `SELECT * FROM customer WHERE ${TSVECTOR_MATCHES}`
    : `SELECT ${selected} FROM customer_words CROSS JOIN customer ON id = customer_words.rowid WHERE customer_words MATCH ?`
  return [
    `SELECT ${selected} FROM customer WHERE id = CAST(? AS bigint) AND NOT ${AGES} LIMIT ?`,
    `SELECT ${selected} FROM customer WHERE age >= ? AND age <= ? ORDER BY age, id LIMIT ?`,
    `${words} AND NOT ${AGES} AND id <> CAST(? AS bigint) LIMIT ?`
  ].map((part, index) => `SELECT * FROM (${part}) AS part${index}`).join(' UNION ALL ')
}

/** Joins what {@link found} has found, so that the planner must keep this order. */
function lookup (provider: Provider): string {
  return provider === 'postgres' ? 'found' : 'found CROSS JOIN customer ON id = found_id'
}

/** Counts all customers. Parameter: where to stop. */
export const COUNT_ALL = `SELECT COUNT(*) FROM (SELECT id FROM customer WHERE id >= ${MIN_INTEGER} ORDER BY id LIMIT ?) AS found`

/** Counts what an index finds. Parameters: its bounds, and where to stop. */
export function countFound (source: Source, provider: Provider): string {
  return `SELECT COUNT(*) FROM (${found(source, provider).replace(/^SELECT \*/, 'SELECT id')}) AS found`
}

/** Counts what an index finds, and the matches of all filters among it. Parameters: its bounds, where to stop, and the filters. */
export function countMatches (source: Source, words: number, provider: Provider): string {
  return `WITH found AS MATERIALIZED (${found(source, provider)})
    SELECT (SELECT COUNT(*) FROM found), COUNT(*) FROM ${lookup(provider)} WHERE ${matches(words)}`
}

/**
 * Selects the position after some customers of a range, from the index alone. Parameters: its two ends, and how many to skip.
 * Identifiers have only the first end, since no filter limits them: for two, PostgreSQL expects so few customers in a new table
 * that it would read and sort them all.
 */
export function selectStop (sort: SortKey, descending: boolean): string {
  if (sort !== 'id') return `SELECT id, ${KEYS[sort]} FROM ${range(sort, descending)} LIMIT 1 OFFSET ?`
  return `SELECT id FROM customer WHERE ${beyond(sort, descending ? '<' : '>')} ${orderBy(sort, descending)} LIMIT 1 OFFSET ?`
}

/** Counts the first customers by identifier, and the matches among them. Parameters: the filters, and how many to examine. */
export function countWalked (words: number): string {
  return `SELECT COUNT(*), COUNT(*) FILTER (WHERE ${matches(words)}) FROM (SELECT * FROM customer WHERE id >= ${MIN_INTEGER} ORDER BY id LIMIT ?) AS walked`
}

/**
 * Selects the matches in a range. Parameters: its two ends, how many to examine, the filters, and a limit. The inner limit makes
 * the planner use the index of the order, and keeps that order.
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
