import type { Connection } from '@frontdesk/database/connection'
import { decodeRows, type Columns, type Row } from '@frontdesk/database/rows'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { boundsOf, endsOf, positionOf, sourcesOf, whole, type Value } from './bounds.js'
import type { Filters, Listed, ListQuery, Page, Position, SortKey, Total } from './query.js'
import {
  COUNT_ALL, countCandidates, countSource, selectAll, selectCandidates, selectScanned, selectStop, type Source
} from './statements.js'

/** Customers that are looked up because one filter finds them, at most: if there are more, the list is scanned in its order. */
const MAX_CANDIDATES = 1_000

/** A filter that finds this few is selective enough. */
const FEW = 200

/** Customers that are scanned for one page, at most. */
const MAX_SCANNED = 1_000

/** Where counting stops if it needs no lookups. */
const MAX_COUNT = 10_000

const COLUMNS = 'id, name_fold, updated_at'

/** How {@link COLUMNS} are decoded, and those that one sort needs. */
const PLACE = { id: 'int', nameFold: 'string', updatedAt: 'datetime' } as const
const KEYS = { id: { id: 'int' }, name: { id: 'int', nameFold: 'string' }, updated: { id: 'int', updatedAt: 'datetime' } } as const

/** The sort keys of a customer; the identifier alone if the sort is `id`. */
type Place = Pick<Row<typeof PLACE>, 'id'> & Partial<Row<typeof PLACE>>

type Bounds = { values: Value[], words: number }

/**
 * Lists and searches customers. A page comes from what the most selective filter finds, if that is little; otherwise
 * the list is scanned in its order up to a limit, and the next page continues there.
 */
export class Search {
  readonly #connection: Connection
  readonly #catchUp: () => Promise<void>
  readonly #isPostgresql: boolean
  readonly #read

  /** @param catchUp resolves when earlier changes are in the search index */
  constructor (connection: Connection, catchUp: () => Promise<void>) {
    this.#connection = connection
    this.#catchUp = catchUp
    this.#isPostgresql = connection.adapter.provider === 'postgres'
    this.#read = new ValuesStatement(
      connection,
      list => `SELECT id, name, age, address, version, created_at, updated_at FROM customer WHERE id IN (${list})`,
      ['int'],
      { id: 'int', name: 'string', age: 'int', address: 'string', version: 'int', createdAt: 'datetime', updatedAt: 'datetime' }
    )
  }

  /**
   * Gives a page of a list. It includes earlier changes, unless there were thousands. The work has a limit, however many
   * customers there are.
   */
  readonly list = async (query: ListQuery): Promise<Page> => {
    const bounds = boundsOf(query.filters)
    if (bounds === null) return { customers: [], next: null }
    const { places, stop } = await this.#find(query, bounds)
    const { sort, limit } = query
    const page = places.slice(0, limit)
    const last = page.at(-1)
    const next = places.length > limit && last !== undefined ? positionAt(sort, last) : stop
    return { customers: await this.#customers(page.map(({ id }) => id)), next }
  }

  /** Counts the customers of a list; stops after 10,000, with several filters after 1,000 that the most selective one finds. */
  readonly count = async (filters: Filters): Promise<Total> => {
    const bounds = boundsOf(filters)
    if (bounds === null) return { count: 0, more: false }
    const sources = sourcesOf(filters)
    if (sources.length === 0) {
      const [{ all } = { all: 0 }] = await this.#run({ all: 'int' }, COUNT_ALL, [whole(MAX_COUNT + 1)])
      return { count: Math.min(all, MAX_COUNT), more: all > MAX_COUNT }
    }
    await this.#catchUp()
    const end = sources.length === 1 ? MAX_COUNT : MAX_CANDIDATES
    // as: there is a source.
    const best = (await this.#mostSelective(sources, end + 1))!
    const more = best.entries > end
    if (sources.length === 1) return { count: Math.min(best.customers, end), more }
    const sql = countCandidates(best.source, bounds.words, this.#isPostgresql)
    const [{ count } = { count: 0 }] = await this.#run({ count: 'int' }, sql, [...best.bounds, whole(end), ...bounds.values])
    return { count, more }
  }

  /** The places of a page and of the customer after it, if there is one; or where the scan stopped. */
  async #find (query: ListQuery, bounds: Bounds): Promise<{ places: Place[], stop: Position | null }> {
    const { filters, sort, limit } = query
    const sources = sourcesOf(filters)
    if (sources.length === 0 && sort === 'id') return { places: await this.#scanAll(query), stop: null }
    await this.#catchUp()
    const others = sources.filter(({ source }) => source !== sort)
    if (others.length === 0) return { places: await this.#scan(query, bounds, limit + 1, null), stop: null }
    const best = await this.#mostSelective(others, MAX_CANDIDATES + 1)
    if (best !== null && best.entries <= MAX_CANDIDATES) return { places: await this.#pick(query, bounds, best), stop: null }
    const stop = await this.#findStop(query)
    return { places: await this.#scan(query, bounds, MAX_SCANNED, stop), stop }
  }

  /** The customers in the same order, without those that were removed in the meantime. */
  async #customers (ids: number[]): Promise<Listed[]> {
    if (ids.length === 0) return []
    const found = new Map((await this.#read.run(ids.map(id => [id]))).map(customer => [customer.id, customer]))
    return ids.flatMap(id => found.get(id) ?? [])
  }

  /** The filter that finds the fewest, as far as they are counted; stops at the first that finds few. */
  async #mostSelective (sources: ReturnType<typeof sourcesOf>, stop: number) {
    let best: typeof sources[number] & { entries: number, customers: number } | null = null
    for (const it of sources) {
      const [found = { entries: 0, customers: 0 }] = await this.#run({ entries: 'int', customers: 'int' }, countSource(it.source), [
        ...it.bounds, whole(stop)
      ])
      if (best === null || found.entries < best.entries) best = { ...it, ...found }
      if (best.entries <= FEW) return best
    }
    return best
  }

  async #pick (query: ListQuery, bounds: Bounds, { source, bounds: range }: { source: Source, bounds: readonly Value[] }) {
    const { sort, descending, limit } = query
    const sql = selectCandidates(source, sort, descending, bounds.words, this.#isPostgresql, COLUMNS)
    return await this.#run(PLACE, sql, [...range, whole(MAX_CANDIDATES + 1), ...bounds.values, ...endsOf(query).start, whole(limit + 1)])
  }

  async #scan (query: ListQuery, bounds: Bounds, scanned: number, stop: Position | null) {
    const { sort, descending, limit } = query
    const { start, end } = endsOf(query)
    // Twice as many: customers that were added to the range in the meantime are scanned, too.
    const values = [...start, ...stop === null ? end : positionOf(stop), whole(2 * scanned), ...bounds.values, whole(limit + 1)]
    return await this.#run(PLACE, selectScanned(sort, descending, bounds.words, COLUMNS), values)
  }

  /** Without filters and by identifier, scans the customers themselves: they are in that order. */
  async #scanAll (query: ListQuery): Promise<Place[]> {
    const { start, end } = endsOf(query)
    return await this.#run({ id: 'int' }, selectAll(query.descending), [...start, ...end, whole(query.limit + 1)])
  }

  /** Where the scan for one page must stop; `null`: at the end. */
  async #findStop (query: ListQuery): Promise<Position | null> {
    const { sort, descending } = query
    const { start, end } = endsOf(query)
    const [place] = await this.#run(KEYS[sort], selectStop(sort, descending), [...start, ...end, whole(MAX_SCANNED - 1)])
    return place === undefined ? null : positionAt(sort, place)
  }

  /** Like ValuesStatement, but with scalars instead of a list. */
  async #run<C extends Columns> (columns: C, sql: string, values: Value[]): Promise<Array<Row<C>>> {
    let parameters = 0
    return decodeRows(columns, await this.#connection.run({
      sql: this.#isPostgresql ? sql.replaceAll('?', () => `$${++parameters}`) : sql,
      args: values.map(([value]) => value),
      argTypes: values.map(([, scalarType]) => ({ scalarType, arity: 'scalar' }))
    }))
  }
}

function positionAt (sort: SortKey, { id, nameFold = '', updatedAt = new Date(0) }: Place): Position {
  if (sort === 'id') return { id }
  return { id, key: sort === 'name' ? nameFold : updatedAt.getTime() }
}
