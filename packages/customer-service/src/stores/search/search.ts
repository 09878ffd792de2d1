import { rowDecoder, type Row } from '@frontdesk/database/rows'
import type { Standby } from '@frontdesk/database/standby'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import { filterBounds, listEnds, givenFilters, findIndexes, positionValues, type Bounds, type Indexed } from './bounds.js'
import { countCustomers } from './count.js'
import { Engine, MAX_SORTED } from './engine.js'
import { foldName } from './fold.js'
import { LISTED, type Filters, type ListQuery, type Lists, type Page, type Position, type SortKey, type Total } from './query.js'
import { PAGE, selectFound, selectRange, selectStop, selectWalked } from './statements.js'
import { tiersOf } from './tiers.js'

/** Customers to examine in the order of the list: before using a filter's index, and if that finds too many. */
const EXAMINED = { first: 500, then: 1_500 }

const decodePage = rowDecoder(PAGE)
const decodePlace = {
  id: rowDecoder(pick(customer, 'id')),
  name: rowDecoder({ ...pick(customer, 'id'), folded: 'string' }),
  age: rowDecoder(pick(customer, 'id', 'age')),
  address: rowDecoder({ ...pick(customer, 'id'), folded: 'string' }),
  updated: rowDecoder({ id: LISTED.id, updatedAt: LISTED.updatedAt })
}

/** Customers of a page, and perhaps one more; `stop`: where to continue if the list has more. */
interface Part { rows: Array<Row<typeof PAGE>>, stop: Position | null }

/**
 * Lists and searches customers with bounded work: sorts the customers with a whole name, if one is given; otherwise examines some
 * customers in the order of the list; if they do not fill the page, sorts what a filter's index finds; if that is too much,
 * examines more in the order of the list, where the next page continues.
 */
export class Search implements Lists {
  readonly #engine: Engine
  readonly #catchUp: () => Promise<void>

  /** @param catchUp resolves when customers that other clients wrote can be found */
  constructor (engine: Engine, catchUp: () => Promise<void>) {
    this.#engine = engine
    this.#catchUp = catchUp
  }

  readonly list = async (query: ListQuery): Promise<Page> => {
    const { filters, sort, limit, after } = query
    if (sort !== 'id' || givenFilters(filters).length > 0) await this.#catchUp()
    const customers: Page['customers'] = []
    let next: Position | null = null
    for (const [tier, part] of tiersOf(filters).entries()) {
      if (tier < (after?.tier ?? 0)) continue
      const { after: _, ...rest } = query
      const start = after !== undefined && tier === (after.tier ?? 0) ? { after } : {}
      const left = limit - customers.length
      const page = await this.#listPart({ ...rest, ...start, filters: part, limit: Math.max(left, 1) })
      // The page was full: is there more?
      if (left === 0 && (page.rows.length > 0 || page.next !== null)) return { customers, next }
      if (left === 0) continue
      customers.push(...page.rows)
      const last = page.rows.at(-1)
      if (last !== undefined) next = { ...positionAt(sort, last), tier }
      if (page.next !== null) return { customers, next: { ...page.next, tier } }
    }
    return { customers, next: null }
  }

  readonly count = async (filters: Filters): Promise<Total> => {
    if (givenFilters(filters).length > 0) await this.#catchUp()
    return await countCustomers(this.#engine, filters)
  }

  async #listPart (query: ListQuery): Promise<{ rows: Array<Row<typeof PAGE>>, next: Position | null }> {
    const bounds = filterBounds(query.filters)
    if (bounds === null) return { rows: [], next: null }
    const { rows, stop } = await this.#find(query, bounds)
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    return { rows: page, next: rows.length > query.limit && last !== undefined ? positionAt(query.sort, last) : stop }
  }

  async #find (query: ListQuery, bounds: Bounds): Promise<Part> {
    const { filters, limit } = query
    const { provider } = this.#engine
    const given = givenFilters(filters)
    const alone = given.length === 1 ? inNameIndex(query) : query
    const others = given.filter(source => source === 'id' || source !== alone.sort)
    if (others.length === 0 && filters.except === undefined) return { rows: await this.#listRange(alone), stop: null }
    // Few customers have the same name.
    const few = filters.id !== undefined ? ['id' as const] : filters.name !== undefined ? ['name' as const] : []
    const same = await this.#sort(query, bounds, findIndexes(filters, few, provider), 'found')
    if (same !== null) return same

    const part = await this.#walk(query, bounds, EXAMINED.first)
    if (part.stop === null || part.rows.length >= limit) return part
    // Enough of the first ones matched to expect a full page.
    const willFill = part.rows.length * EXAMINED.then / EXAMINED.first >= 2 * limit
    const best = willFill ? [] : findIndexes(filters, others, provider, await this.#engine.selective(filters)).slice(0, 2)
    const found = await this.#sort(query, bounds, best, 'found')
    if (found !== null) return found
    const rest = await this.#walkOn(query, bounds, part)
    if (rest.rows.length > 0 || rest.stop === null) return rest
    return await this.#sort(query, bounds, findIndexes(filters, others, provider), 'last') ?? rest
  }

  /** Sorts what one of the indexes finds; `null` if each finds too much. */
  async #sort (query: ListQuery, bounds: Bounds, indexes: Indexed[], work: keyof typeof MAX_SORTED): Promise<Part | null> {
    const { limit } = query
    const most = MAX_SORTED[work]
    for (const indexed of indexes) {
      if (await this.#engine.isCommon(indexed, work)) continue
      const sql = selectFound(indexed.source, query, bounds.words, this.#engine.provider)
      const values = [...indexed.range(most + 1), most, ...bounds.values, ...listEnds(query).start, limit + 1]
      const rows = await this.#engine.run(sql, values)
      if (Number(rows[0]?.[0]) > most) continue
      return { rows: decodePage(rows.map(row => row.slice(1)).filter(([id]) => id !== null)), stop: null }
    }
    return null
  }

  /** Examines more customers, after a first part. */
  async #walkOn (query: ListQuery, bounds: Bounds, { rows, stop }: Part): Promise<Part> {
    if (stop === null) return { rows, stop }
    const rest = await this.#walk({ ...query, after: stop, limit: query.limit - rows.length }, bounds, EXAMINED.then)
    return { rows: [...rows, ...rest.rows], stop: rest.stop }
  }

  /** Examines a number of customers in the order of the list. */
  async #walk (query: ListQuery, bounds: Bounds, steps: number): Promise<Part> {
    const { start, end } = listEnds(query)
    const sql = selectStop(query.sort, query.descending)
    const ends = query.sort === 'id' ? start : [...start, ...end]
    const [place] = decodePlace[query.sort](await this.#engine.run(sql, [...ends, steps - 1]))
    const stop = place === undefined ? null : positionAt(query.sort, place)
    return { rows: await this.#examine(query, bounds, steps, stop), stop }
  }

  async #examine (query: ListQuery, bounds: Bounds, steps: number, stop: Position | null) {
    const { sort, descending, limit } = query
    const { start, end } = listEnds(query)
    // Twice as many: customers that were added to the range in the meantime are examined, too.
    const values = [...start, ...stop === null ? end : positionValues(sort, stop), 2 * steps, ...bounds.values, limit + 1]
    return decodePage(await this.#engine.run(selectWalked(sort, descending, bounds.words), values))
  }

  /** Every customer in the range of the list matches, also one that is not folded yet. */
  async #listRange (query: ListQuery) {
    const { sort, descending, limit } = query
    const { start, end } = listEnds(query)
    return decodePage(await this.#engine.run(selectRange(sort, descending), [...start, ...end, limit + 1]))
  }
}

/**
 * Lists and counts customers on a standby; on the primary while that lags or fails.
 * @param engine of the primary
 * @param catchUp resolves when customers that other clients wrote can be found, on the primary
 */
export function openStandbySearch (standby: Standby, engine: Engine, catchUp: () => Promise<void>): Lists {
  const read = async <T>(work: (search: Search) => Promise<T>): Promise<T> => {
    // First, because the standby cannot write.
    await catchUp()
    const on = (engine: Engine) => work(new Search(engine, async () => {}))
    return await standby.read(run => on(engine.through(run))) ?? await on(engine)
  }
  return { list: query => read(search => search.list(query)), count: filters => read(search => search.count(filters)) }
}

/** Of customers with the same name, the order of the index of names is that of identifiers. */
function inNameIndex (query: ListQuery): ListQuery {
  const { filters: { name }, sort, after } = query
  if (name === undefined || sort !== 'id') return query
  return { ...query, sort: 'name', ...after === undefined ? {} : { after: { ...after, key: foldName(name) } } }
}

function positionAt (sort: SortKey, row: { id: number, folded?: string | null, age?: number, updatedAt?: string }): Position {
  const { id, folded, age = 0, updatedAt = '' } = row
  const keys = { name: folded ?? '', age, address: folded ?? '', updated: Date.parse(updatedAt) }
  return sort === 'id' ? { id } : { id, key: keys[sort] }
}
