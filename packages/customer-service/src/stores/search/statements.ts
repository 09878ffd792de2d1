import type { SortKey } from './query.js'

/** A filter that has an index. */
export type Source = 'name' | 'age' | 'updated' | 'word'

const COLUMNS = { id: 'id', name: 'name_fold', updated: 'updated_at', age: 'age' } as const

/**
 * The condition of the filters. It always has every filter, the unused ones with bounds that every customer matches: few
 * texts mean few plans.
 */
function matches (words: number): string {
  const ranges = (['name', 'age', 'updated'] as const).map(source => `${COLUMNS[source]} >= ? AND ${COLUMNS[source]} <= ?`)
  return [...ranges, ...Array.from({ length: words }, () => 'words LIKE ?')].join(' AND ')
}

/** Parameters: a position, which is key and identifier, or the identifier alone. The cast allows one more than the largest. */
function beyond (sort: SortKey, operator: string): string {
  return sort === 'id' ? `id ${operator} CAST(? AS bigint)` : `(${COLUMNS[sort]}, id) ${operator} (?, CAST(? AS bigint))`
}

function orderBy (sort: SortKey, descending: boolean): string {
  const direction = descending ? ' DESC' : ''
  return `ORDER BY ${sort === 'id' ? '' : `${COLUMNS[sort]}${direction}, `}id${direction}`
}

/** The customers between two positions in an order, without the first and with the last. Parameters: the positions. */
function range (sort: SortKey, descending: boolean): string {
  return `listed_customer AS customer WHERE ${beyond(sort, descending ? '<' : '>')} AND ${beyond(sort, descending ? '>=' : '<=')} ${orderBy(sort, descending)}`
}

/** Identifiers that one filter finds in its index. Parameters: two bounds, and how many at most. */
function found (source: Source): string {
  return source === 'word'
    ? 'SELECT customer_id AS id FROM listed_word WHERE word >= ? AND word <= ? ORDER BY word, customer_id LIMIT ?'
    : `SELECT id FROM listed_customer AS customer WHERE ${COLUMNS[source]} >= ? AND ${COLUMNS[source]} <= ? ORDER BY ${COLUMNS[source]}, id LIMIT ?`
}

/** Counts what one filter finds: index entries, and customers. Parameters: two bounds, and where to stop. */
export function countSource (source: Source): string {
  // Two words of a customer may have the same prefix.
  return `SELECT COUNT(*), COUNT(${source === 'word' ? 'DISTINCT id' : '*'}) FROM (${found(source)}) AS found`
}

/** Counts all customers. Parameter: where to stop. */
export const COUNT_ALL = 'SELECT COUNT(*) FROM (SELECT id FROM customer WHERE id > 0 ORDER BY id LIMIT ?) AS found'

/** The position after a number of customers in a range. Parameters: its two ends, and how many to skip. */
export function selectStop (sort: SortKey, descending: boolean): string {
  // No more columns than the index has.
  const columns = sort === 'id' ? 'id' : `id, ${COLUMNS[sort]}`
  return `SELECT ${columns} FROM ${range(sort, descending)} LIMIT 1 OFFSET ?`
}

/**
 * Scans a range and selects the customers that match. Parameters: its two ends, how many to scan, the bounds of the
 * filters, and how many to select. The inner limit makes the planner use the index of the order; its result stays in
 * that order.
 */
export function selectScanned (sort: SortKey, descending: boolean, words: number, columns: string): string {
  return `SELECT ${columns} FROM (SELECT * FROM ${range(sort, descending)} LIMIT ?) AS scanned WHERE ${matches(words)} LIMIT ?`
}

/** Selects all customers by identifier. Parameters: two ends, the first excluded and the second included, and how many. */
export function selectAll (descending: boolean): string {
  return `SELECT id FROM customer WHERE ${beyond('id', descending ? '<' : '>')} AND ${beyond('id', descending ? '>=' : '<=')} ${orderBy('id', descending)} LIMIT ?`
}

/**
 * The customers that one filter finds and the others match. Parameters: two bounds, how many to look up, and the bounds
 * of the filters. Each customer is looked up by its identifier: the planner has no other choice.
 */
function candidates (source: Source, words: number, isPostgresql: boolean): string {
  const table = isPostgresql
    ? `(SELECT * FROM listed_customer WHERE id = ANY (ARRAY (${found(source)})) OFFSET 0) AS customer`
    : `(SELECT DISTINCT id AS id FROM (${found(source)}) AS found) AS candidate CROSS JOIN listed_customer AS customer ON customer.id = candidate.id`
  return `${table} WHERE ${matches(words)}`
}

/** Selects a page of the {@link candidates}. Parameters: theirs, the start, and how many to select. */
export function selectCandidates (
  source: Source,
  sort: SortKey,
  descending: boolean,
  words: number,
  isPostgresql: boolean,
  columns: string
): string {
  const page = `${beyond(sort, descending ? '<' : '>')} ${orderBy(sort, descending)}`.replaceAll(/\bid\b/g, 'customer.id')
  return `SELECT ${columns.replace(/\bid\b/, 'customer.id')} FROM ${candidates(source, words, isPostgresql)} AND ${page} LIMIT ?`
}

/** Counts the {@link candidates}. Parameters: theirs. */
export function countCandidates (source: Source, words: number, isPostgresql: boolean): string {
  return `SELECT COUNT(*) FROM ${candidates(source, words, isPostgresql)}`
}
