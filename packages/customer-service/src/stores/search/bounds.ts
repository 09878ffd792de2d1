import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { foldName, formToFind } from './fold.js'
import { formatFullText, isOneWord, indexTerms } from './full-text.js'
import type { Filters, ListQuery, Position, SortKey } from './query.js'
import type { Provider, Source } from './statements.js'

/** A parameter of a statement. */
export type Value = string | number | Date

/** Inclusive bounds. */
type Range = readonly [from: Value, to: Value]

/** Sorts after every text: no folded name contains it. */
const LAST = '\u{10ffff}'
const FIRST_TIME = new Date(0)
const LAST_TIME = new Date('9999-12-31T23:59:59.999Z')

/** One below the smallest identifier, and one above the largest. */
export const BELOW_IDS = MIN_INTEGER - 1
const BEYOND_IDS = MAX_INTEGER + 1

const times = ({ updatedSince = FIRST_TIME }: Filters): Range => [updatedSince, LAST_TIME]
const ages = ({ minAge = MIN_INTEGER, maxAge = MAX_INTEGER }: Filters): Range => [minAge, maxAge]

/** Parameters of the condition of all filters, and the number of words among them. */
export interface Bounds { values: Value[], words: number }

/** Makes the parameters of all filters; `null` if no customer can match. */
export function filterBounds (filters: Filters): Bounds | null {
  const { id, name, namePrefix = '', words, minAge = MIN_INTEGER, maxAge = MAX_INTEGER, or, except = {} } = filters
  if (minAge > maxAge || (name !== undefined && !foldName(name).startsWith(foldName(namePrefix)))) return null
  const patterns = wordPatterns(words)
  const ids = [id ?? MIN_INTEGER, id ?? MAX_INTEGER, except.id ?? BELOW_IDS, except.name === undefined ? LAST : foldName(except.name)]
  const values = [...names(filters), ...ages(filters), ...times(filters), ...ids, ...alternatives(or), ...patterns]
  return { values, words: patterns.length }
}

/** A number, and the ends of ages; none that a customer can have without alternatives. */
function alternatives ({ id = BELOW_IDS, minAge, maxAge }: NonNullable<Filters['or']> = { minAge: MAX_INTEGER, maxAge: MIN_INTEGER }) {
  return [id, minAge, maxAge]
}

/** Patterns that match words, padded to the numbers that statements exist for. */
function wordPatterns (words: readonly string[]): Value[] {
  const patterns = words.map(word => `%${formToFind(word)}%`)
  while (![2, 8].includes(patterns.length)) patterns.push('%')
  return patterns
}

/** Lists the filters in use. */
export function givenFilters ({ id, name, namePrefix, words, minAge, maxAge, updatedSince }: Filters): Source[] {
  return [
    ...id === undefined ? [] : ['id' as const],
    ...words.length === 0 ? [] : ['words' as const],
    ...updatedSince === undefined ? [] : ['updated' as const],
    ...name === undefined && namePrefix === undefined ? [] : ['name' as const],
    ...minAge === undefined && maxAge === undefined ? [] : ['age' as const]
  ]
}

/** An index that finds every match of some filters, and others. */
export interface Indexed {
  source: Source
  /** Parameters of its condition, and the limit. @param limit of what it finds */
  range: (limit: number) => Value[]
  /** Terms of the full-text index that every match has. */
  terms: string[]
  /** Whether the full-text query has only one term. */
  isOneTerm: boolean
}

/**
 * Finds the indexes that have every match of the given filters; the most selective ones usually first. With words, the
 * full-text index also covers names and ages.
 * @param looked filters of the full-text query
 */
export function findIndexes (filters: Filters, given: readonly Source[], provider: Provider, looked = filters): Indexed[] {
  const query = formatFullText(looked, provider)
  const [other = 0, ...ofAges] = alternatives(filters.or)
  const ranges: Record<Source, Indexed['range']> = {
    id: limit => [filters.id ?? BELOW_IDS, limit],
    words: limit => [query ?? '', limit],
    either: limit => [other, ...ofAges, limit, ...ofAges, limit, query ?? '', ...ofAges, other, limit, limit],
    name: limit => [...names(filters), limit],
    updated: limit => [...times(filters), limit],
    age: limit => [...ages(filters), limit]
  }
  // A name alone has its own index.
  const hasWords = query !== null && (given.length > 1 || given[0] === 'words')
  const words = filters.or === undefined ? 'words' : 'either'
  const sources = hasWords ? [words, ...given.filter(source => source === 'updated' || source === 'age')] as const : given
  const [terms, isOneTerm] = [indexTerms(looked), isOneWord(looked)]
  return sources.map(source => ({ source, range: ranges[source], terms, isOneTerm }))
}

/** The ends of the rest of a list: an exclusive start, and an inclusive end. */
export function listEnds ({ filters, sort, descending, after }: ListQuery): { start: Value[], end: Value[] } {
  const [from, to] = sortRange(sort, filters)
  const key = (value: Value) => sort === 'id' ? [] : [value]
  const low = [...key(from), BELOW_IDS]
  const high = [...key(to), BEYOND_IDS]
  const start = descending ? high : low
  return { start: after === undefined ? start : positionValues(sort, after), end: descending ? low : high }
}

/** Makes the parameters of a position. */
export function positionValues (sort: SortKey, { key, id }: Position): Value[] {
  if (key === undefined) return [id]
  return [typeof key === 'string' || sort === 'age' ? key : new Date(key), id]
}

function sortRange (sort: SortKey, filters: Filters): Range {
  switch (sort) {
    case 'name': return names(filters)
    case 'age': return ages(filters)
    case 'address': return ['', LAST]
    default: return times(filters)
  }
}

function names ({ name, namePrefix = '' }: Filters): Range {
  return name === undefined ? [foldName(namePrefix), foldName(namePrefix) + LAST] : [foldName(name), foldName(name)]
}
