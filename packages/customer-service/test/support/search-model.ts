import { foldName, foldWords, parseWords } from '../../src/stores/search/fold.js'
import type { Listed, ListQuery, Position } from '../../src/stores/search/query.js'
import type { Search } from '../../src/stores/search/search.js'

/** Compares as both databases do: byte by byte. */
const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

const addressOf = ({ address }: Listed) => [...foldWords(address)].slice(0, 64).join('')
const compareBy: Record<ListQuery['sort'], (one: Listed, other: Listed) => number> = {
  id: () => 0,
  name: (one, other) => compare(foldName(one.name), foldName(other.name)),
  age: (one, other) => one.age - other.age,
  address: (one, other) => compare(addressOf(one), addressOf(other)),
  updated: (one, other) => compare(one.updatedAt, other.updatedAt)
}

const UNSPACED = /[\u0e00-\u0e7f\u3005\u3040-\u30ff\u3400-\u9fff\u{20000}-\u{2ffff}]/u

/** The words of a text, cut where the script changes. */
const piecesOf = (text: string) => parseWords(text)
  .flatMap(word => word.match(new RegExp(`${UNSPACED.source}+|[^${UNSPACED.source.slice(1)}+`, 'gu')) ?? [])

/** Whether a customer has a word: its pieces in sequence, of which the first and the last can be parts. */
function has ({ name, address }: Listed, word: string): boolean {
  const [own, wanted] = [[...piecesOf(name), ...piecesOf(address)], piecesOf(word)]
  const fits = (piece: string, of: string, index: number): boolean => {
    const [isFirst, isLast] = [index === 0 && UNSPACED.test(piece), index === wanted.length - 1]
    if (isFirst && isLast) return of.includes(piece)
    return isFirst ? of.endsWith(piece) && UNSPACED.test(of) : isLast ? of.startsWith(piece) : of === piece
  }
  return own.some((_, at) => wanted.every((piece, index) => fits(piece, own[at + index] ?? '', index)))
}

/** What a list has to be, of all customers. */
export function model (all: Listed[], { filters, sort, descending }: ListQuery): number[] {
  const { id, name, namePrefix, words, or, text, minAge = -Infinity, maxAge = Infinity, updatedSince = new Date(0) } = filters
  const fitting = all.filter(it => {
    return (name === undefined || foldName(it.name) === foldName(name)) &&
      (namePrefix === undefined || foldName(it.name).startsWith(foldName(namePrefix))) &&
      (id === undefined || it.id === id) &&
      (words.every(word => has(it, word)) || (or !== undefined && (it.id === or.id || (it.age >= or.minAge && it.age <= or.maxAge)))) &&
      it.age >= minAge && it.age <= maxAge && new Date(it.updatedAt) >= updatedSince
  })
  const tier = (it: Listed) =>
    text === undefined ? 0 : it.id === or?.id ? 0 : name === undefined && foldName(it.name) === foldName(text) ? 1 : 2
  const order = (one: Listed, other: Listed) => (compareBy[sort](one, other) || one.id - other.id) * (descending ? -1 : 1)
  return fitting.sort((one, other) => tier(one) - tier(other) || order(one, other)).map(({ id }) => id)
}

/** Every customer of a list, page after page. */
export async function follow (search: Pick<Search, 'list'>, query: ListQuery): Promise<Listed[]> {
  const all: Listed[] = []
  let after: Position | null = null
  do {
    const page = await search.list({ ...query, ...after === null ? {} : { after } })
    all.push(...page.customers)
    after = page.next
  } while (after !== null)
  return all
}
