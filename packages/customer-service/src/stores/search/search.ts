import type { Filters, Listed, ListQuery, Page, Position, SortKey, Total } from './query.js'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { boundsOf, endsOf, positionOf, sourcesOf, whole, type Value } from './bounds.js'
import { counting, COUNTING_ALL, countingChosen, mark, pick, walk, walkAll, type Source } from './statements.js'

/** Customers that are looked up one by one because a filter finds them, at most: more, and the list is walked instead. */
const CANDIDATES = 1_000

/** So few that nobody looks for fewer. */
const FEW = 200

/** Customers of a list that are looked at for one page, at most. */
const STRETCH = 1_000

/** Where counting ends, if no customer has to be looked up for it. */
const COUNT = 10_000

const COLUMNS = 'id, name_fold, updated_at'

/** Where a customer stands in a list. */
type Place = [id: number, nameFold?: string, updatedAt?: string]

type Bounds = { values: Value[], words: number }

type Row = [id: number, name: string, age: number, address: string, version: number, createdAt: string, updatedAt: string]

/**
 * Lists of customers. A page is taken from what the most selective filter finds, if that is little; otherwise the list
 * is walked in its order, as far as one page may, and the next page goes on from there.
 */
export class Lists {
  readonly #connection: Connection
  readonly #catchUp: () => Promise<void>
  readonly #isPostgresql: boolean
  readonly #read

  /** @param catchUp resolves when lists know what was changed before */
  constructor (connection: Connection, catchUp: () => Promise<void>) {
    this.#connection = connection
    this.#catchUp = catchUp
    this.#isPostgresql = connection.adapter.provider === 'postgres'
    this.#read = new ValuesStatement(connection, list => `SELECT id, name, age, address, version, created_at, updated_at FROM customer WHERE id IN (${list})`, ['int'])
  }

  async page (query: ListQuery): Promise<Page> {
    const bounds = boundsOf(query.filters)
    if (bounds === null) return { customers: [], next: null }
    const { places, stop } = await this.#find(query, bounds)
    const { sort, limit } = query
    const page = places.slice(0, limit)
    const last = page.at(-1)
    const next = places.length > limit && last !== undefined ? positionAt(sort, ...last) : stop
    return { customers: await this.#customers(page.map(([id]) => id)), next }
  }

  async count (filters: Filters): Promise<Total> {
    const bounds = boundsOf(filters)
    if (bounds === null) return { count: 0, more: false }
    const sources = sourcesOf(filters)
    if (sources.length === 0) {
      const [[all] = []] = await this.#run(COUNTING_ALL, [whole(COUNT + 1)])
      return { count: Math.min(Number(all), COUNT), more: Number(all) > COUNT }
    }
    await this.#catchUp()
    const end = sources.length === 1 ? COUNT : CANDIDATES
    // as: there is a source.
    const best = (await this.#mostSelective(sources, end + 1))!
    const more = best.entries > end
    if (sources.length === 1) return { count: Math.min(best.customers, end), more }
    const sql = countingChosen(best.source, bounds.words, this.#isPostgresql)
    const [[count] = []] = await this.#run(sql, [...best.bounds, whole(end), ...bounds.values])
    return { count: Number(count), more }
  }

  /** The places of a page and, if there is one, of the customer after it; or where it was stopped. */
  async #find (query: ListQuery, bounds: Bounds): Promise<{ places: Place[], stop: Position | null }> {
    const { filters, sort, limit } = query
    const sources = sourcesOf(filters)
    if (sources.length === 0 && sort === 'id') return { places: await this.#walkAll(query), stop: null }
    await this.#catchUp()
    const others = sources.filter(({ source }) => source !== sort)
    if (others.length === 0) return { places: await this.#walk(query, bounds, limit + 1, null), stop: null }
    const best = await this.#mostSelective(others, CANDIDATES + 1)
    if (best !== null && best.entries <= CANDIDATES) return { places: await this.#pick(query, bounds, best), stop: null }
    const stop = await this.#mark(query)
    return { places: await this.#walk(query, bounds, STRETCH, stop), stop }
  }

  /** The customers, but those that were removed meanwhile, in the same order. */
  async #customers (ids: number[]): Promise<Listed[]> {
    if (ids.length === 0) return []
    // as: the columns.
    const rows = await this.#read.run(ids.map(id => [id])) as Row[]
    const found = new Map(rows.map(row => [row[0], toListed(row)]))
    return ids.flatMap(id => found.get(id) ?? [])
  }

  /** Of several filters the one that lets the fewest through, as far as is counted; the first that lets few through will do. */
  async #mostSelective (sources: ReturnType<typeof sourcesOf>, stop: number) {
    let best: typeof sources[number] & { entries: number, customers: number } | null = null
    for (const it of sources) {
      const [[entries, customers] = []] = await this.#run(counting(it.source), [...it.bounds, whole(stop)])
      if (best === null || Number(entries) < best.entries) best = { ...it, entries: Number(entries), customers: Number(customers) }
      if (best.entries <= FEW) return best
    }
    return best
  }

  async #pick (query: ListQuery, bounds: Bounds, { source, bounds: range }: { source: Source, bounds: readonly Value[] }) {
    const { sort, descending, limit } = query
    const sql = pick(source, sort, descending, bounds.words, this.#isPostgresql, COLUMNS)
    const rows = await this.#run(sql, [...range, whole(CANDIDATES + 1), ...bounds.values, ...endsOf(query).start, whole(limit + 1)])
    // as: that is what COLUMNS are.
    return rows as Place[]
  }

  async #walk (query: ListQuery, bounds: Bounds, stretch: number, stop: Position | null) {
    const { sort, descending, limit } = query
    const { start, end } = endsOf(query)
    // Twice: what is added to the stretch meanwhile is looked at too.
    const values = [...start, ...stop === null ? end : positionOf(stop), whole(2 * stretch), ...bounds.values, whole(limit + 1)]
    // as: that is what COLUMNS are.
    return await this.#run(walk(sort, descending, bounds.words, COLUMNS), values) as Place[]
  }

  /** By identifier the customers themselves are in order. */
  async #walkAll (query: ListQuery): Promise<Place[]> {
    const { start, end } = endsOf(query)
    // as: the column.
    return await this.#run(walkAll(query.descending), [...start, ...end, whole(query.limit + 1)]) as Place[]
  }

  /** How far one page may walk; `null`: to the end. */
  async #mark (query: ListQuery): Promise<Position | null> {
    const { sort, descending } = query
    const { start, end } = endsOf(query)
    const [row] = await this.#run(mark(sort, descending), [...start, ...end, whole(STRETCH - 1)])
    if (row === undefined) return null
    // as: the columns of a mark.
    const [id, key] = row as [number, string]
    return positionAt(sort, id, key, key)
  }

  async #run (sql: string, values: Value[]): Promise<unknown[][]> {
    let parameters = 0
    return await this.#connection.run({
      sql: this.#isPostgresql ? sql.replaceAll('?', () => `$${++parameters}`) : sql,
      args: values.map(([value]) => value),
      argTypes: values.map(([, scalarType]) => ({ scalarType, arity: 'scalar' }))
    })
  }
}

function toListed ([id, name, age, address, version, createdAt, updatedAt]: Row): Listed {
  return { id, name, age, address, version, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
}

function positionAt (sort: SortKey, id: number, nameFold = '', updatedAt = ''): Position {
  if (sort === 'id') return { id }
  return { id, key: sort === 'name' ? nameFold : Date.parse(updatedAt) }
}
