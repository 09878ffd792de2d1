import { rowDecoder } from '@frontdesk/database/rows'
import { filterBounds, givenFilters, findIndexes, type Indexed, type Value } from './bounds.js'
import type { Engine } from './engine.js'
import { isExact } from './full-text.js'
import type { Filters, Total } from './query.js'
import { COUNT_ALL, countFound, countMatches, countWalked, hasWords } from './statements.js'

/** Where to stop counting, with one filter and with several. */
const MAX_COUNT = 10_000
const MAX_COUNT_SEVERAL = 1_000

const decodeCount = rowDecoder({ count: 'int' })
const decodeCounts = rowDecoder({ all: 'int', count: 'int' })

/** Counts the customers of a list, up to 10,000; with several filters, up to 1,000 that one of them finds. */
export async function countCustomers (engine: Engine, filters: Filters): Promise<Total> {
  const bounds = filterBounds(filters)
  if (bounds === null) return { count: 0, more: false }
  const given = givenFilters(filters)
  const selective = await engine.selective(filters)
  const [first, ...others] = findIndexes(filters, given, engine.provider, selective)
  if (first === undefined) return await upTo(COUNT_ALL, [MAX_COUNT + 1])
  if (await engine.isCommon(first, 'found')) {
    const values = [...bounds.values, MAX_COUNT + 1]
    const [{ all, count } = { all: 0, count: 0 }] = decodeCounts(await engine.run(countWalked(bounds.words), values))
    return { count: Math.min(count, MAX_COUNT), more: all > MAX_COUNT }
  }
  if (given.length === 1 && (!hasWords(first.source) || (selective === filters && isExact(filters.words)))) {
    return await upTo(countFound(first.source, engine.provider), first.range(MAX_COUNT + 1))
  }
  let total = await among(first)
  for (const index of total.more ? others : []) {
    const other = await among(index)
    if (!other.more) return other
    if (other.count > total.count) total = other
  }
  return total

  async function upTo (sql: string, values: Value[]): Promise<Total> {
    const [{ count } = { count: 0 }] = decodeCount(await engine.run(sql, values))
    return { count: Math.min(count, MAX_COUNT), more: count > MAX_COUNT }
  }

  /** Counts the matches among the first thousand that an index finds. */
  async function among ({ source, range }: Indexed): Promise<Total> {
    const sql = countMatches(source, bounds!.words, engine.provider)
    const rows = await engine.run(sql, [...range(MAX_COUNT_SEVERAL + 1), ...bounds!.values])
    const [{ all, count } = { all: 0, count: 0 }] = decodeCounts(rows)
    return { count: Math.min(count, MAX_COUNT_SEVERAL), more: all > MAX_COUNT_SEVERAL }
  }
}
