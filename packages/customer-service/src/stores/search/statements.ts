import type { SortKey } from './query.js'

/** What narrows a list by an index of its own. */
export type Source = 'name' | 'age' | 'updated' | 'word'

const COLUMNS = { id: 'id', name: 'name_fold', updated: 'updated_at', age: 'age' } as const

/**
 * What the filters let through. Every filter is always there, those that are not wanted with bounds that all fit: few
 * texts mean few plans.
 */
function fits (words: number): string {
  const ranges = (['name', 'age', 'updated'] as const).map(source => `${COLUMNS[source]} >= ? AND ${COLUMNS[source]} <= ?`)
  return [...ranges, ...Array.from({ length: words }, () => 'words LIKE ?')].join(' AND ')
}

/** Takes a position: key and identifier, or the identifier alone. The cast lets it be one more than the largest. */
function beyond (sort: SortKey, operator: string): string {
  return sort === 'id' ? `id ${operator} CAST(? AS bigint)` : `(${COLUMNS[sort]}, id) ${operator} (?, CAST(? AS bigint))`
}

function inOrder (sort: SortKey, descending: boolean): string {
  const direction = descending ? ' DESC' : ''
  return `ORDER BY ${sort === 'id' ? '' : `${COLUMNS[sort]}${direction}, `}id${direction}`
}

/** The part of an order between two positions, without the first and with the last. */
function stretch (sort: SortKey, descending: boolean): string {
  return `listed_customer AS customer WHERE ${beyond(sort, descending ? '<' : '>')} AND ${beyond(sort, descending ? '>=' : '<=')} ${inOrder(sort, descending)}`
}

/** Identifiers that one filter lets through, from its index: two bounds, and how many at most. */
function found (source: Source): string {
  return source === 'word'
    ? 'SELECT customer_id AS id FROM listed_word WHERE word >= ? AND word <= ? ORDER BY word, customer_id LIMIT ?'
    : `SELECT id FROM listed_customer AS customer WHERE ${COLUMNS[source]} >= ? AND ${COLUMNS[source]} <= ? ORDER BY ${COLUMNS[source]}, id LIMIT ?`
}

/** Counts what one filter lets through: index entries, and customers. Takes two bounds, and where to stop. */
export function counting (source: Source): string {
  // Two words of a customer may begin alike.
  return `SELECT COUNT(*), COUNT(${source === 'word' ? 'DISTINCT id' : '*'}) FROM (${found(source)}) AS found`
}

/** Counts all customers. Takes where to stop. */
export const COUNTING_ALL = 'SELECT COUNT(*) FROM (SELECT id FROM customer WHERE id > 0 ORDER BY id LIMIT ?) AS found'

/** The position after so many customers of a stretch. Takes its two ends, and how many to skip. */
export function mark (sort: SortKey, descending: boolean): string {
  const columns = sort === 'id' ? 'id' : `id, ${COLUMNS[sort]}`
  return `SELECT ${columns} FROM ${stretch(sort, descending)} LIMIT 1 OFFSET ?`
}

/**
 * Walks a stretch and gives the customers that fit. Takes its two ends, how many to look at, the bounds of the filters,
 * and how many to give. The limit inside keeps the planner from any other way than the index of the order; what comes
 * out of it stays in that order.
 */
export function walk (sort: SortKey, descending: boolean, words: number, columns: string): string {
  return `SELECT ${columns} FROM (SELECT * FROM ${stretch(sort, descending)} LIMIT ?) AS walked WHERE ${fits(words)} LIMIT ?`
}

/** Walks all customers by identifier. Takes two ends, the first out and the second in, and how many to give. */
export function walkAll (descending: boolean): string {
  return `SELECT id FROM customer WHERE ${beyond('id', descending ? '<' : '>')} AND ${beyond('id', descending ? '>=' : '<=')} ${inOrder('id', descending)} LIMIT ?`
}

/**
 * The customers that one filter lets through and the others too. Takes two bounds, how many to look at, and the bounds
 * of the filters. Each customer is looked up by its identifier: the planner cannot choose otherwise.
 */
function chosen (source: Source, words: number, isPostgresql: boolean): string {
  const candidates = isPostgresql
    ? `(SELECT * FROM listed_customer WHERE id = ANY (ARRAY (${found(source)})) OFFSET 0) AS customer`
    : `(SELECT DISTINCT id AS id FROM (${found(source)}) AS found) AS candidate CROSS JOIN listed_customer AS customer ON customer.id = candidate.id`
  return `${candidates} WHERE ${fits(words)}`
}

/** Picks a page from what {@link chosen} finds. Takes what that takes, the start, and how many to give. */
export function pick (source: Source, sort: SortKey, descending: boolean, words: number, isPostgresql: boolean, columns: string): string {
  const page = `${beyond(sort, descending ? '<' : '>')} ${inOrder(sort, descending)}`.replaceAll(/\bid\b/g, 'customer.id')
  return `SELECT ${columns.replace(/\bid\b/, 'customer.id')} FROM ${chosen(source, words, isPostgresql)} AND ${page} LIMIT ?`
}

/** Counts what {@link chosen} finds. */
export function countingChosen (source: Source, words: number, isPostgresql: boolean): string {
  return `SELECT COUNT(*) FROM ${chosen(source, words, isPostgresql)}`
}
