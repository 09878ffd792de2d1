import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { foldName } from './fold.js'
import { fullTextOf, isOneWord, termsOf } from './full-text.js'
import type { Filters, ListQuery, Position, SortKey } from './query.js'
import type { Provider, Source } from './statements.js'

/** A parameter of a statement. */
export type Value = string | number | Date

/** Two bounds, both inclusive. */
type Range = readonly [from: Value, to: Value]

/** Sorts after every text: no folded name contains it. */
const LAST = '\u{10ffff}'
const FIRST_TIME = new Date(0)
const LAST_TIME = new Date('9999-12-31T23:59:59.999Z')

/** One less than the smallest identifier, and one more than the largest. */
export const BELOW_IDS = MIN_INTEGER - 1
const BEYOND_IDS = MAX_INTEGER + 1

const times = ({ updatedSince = FIRST_TIME }: Filters): Range => [updatedSince, LAST_TIME]
const ages = ({ minAge = MIN_INTEGER, maxAge = MAX_INTEGER }: Filters): Range => [minAge, maxAge]

/** The parameters of a condition of all filters, and how many of them are words. */
export interface Bounds { values: Value[], words: number }

/** The bounds of all filters; `null` if no customer can match. */
export function boundsOf (filters: Filters): Bounds | null {
  const { name, namePrefix = '', words, minAge = MIN_INTEGER, maxAge = MAX_INTEGER } = filters
  if (minAge > maxAge || (name !== undefined && !foldName(name).startsWith(foldName(namePrefix)))) return null
  const patterns = patternsOf(words)
  return { values: [...names(filters), ...ages(filters), ...times(filters), ...patterns], words: patterns.length }
}

/** Patterns that find words; as many as the few texts of the statements have. */
function patternsOf (words: readonly string[]): Value[] {
  const patterns = words.map(word => `% ${word}%`)
  while (![2, 8].includes(patterns.length)) patterns.push('%')
  return patterns
}

/** The filters that are given. */
export function givenOf ({ name, namePrefix, words, minAge, maxAge, updatedSince }: Filters): Source[] {
  return [
    ...words.length === 0 ? [] : ['words' as const],
    ...updatedSince === undefined ? [] : ['updated' as const],
    ...name === undefined && namePrefix === undefined ? [] : ['name' as const],
    ...minAge === undefined && maxAge === undefined ? [] : ['age' as const]
  ]
}

/** An index that finds every match of some filters, and others. */
export interface Indexed {
  source: Source
  /** The parameters of its condition. */
  range: Value[]
  /** Terms of the full-text index that every match has. */
  terms: string[]
  /** Whether there is nothing else to look up. */
  isOneTerm: boolean
}

/**
 * The indexes that find every match of the given filters; the ones that usually find fewest first. If there are words, the
 * full-text index knows those of a name, and the age, too.
 * @param looked the filters that the query of the full-text index contains
 */
export function indexesOf (filters: Filters, given: readonly Source[], provider: Provider, looked = filters): Indexed[] {
  const query = fullTextOf(looked, provider)
  const ranges = { words: [query ?? ''], name: names(filters), updated: times(filters), age: ages(filters) }
  // For a name alone, there is the index of names.
  const hasWords = query !== null && (given.length > 1 || given[0] === 'words')
  const sources = hasWords ? ['words' as const, ...given.filter(source => source === 'updated' || source === 'age')] : given
  const [terms, isOneTerm] = [termsOf(looked), isOneWord(looked)]
  return sources.map(source => ({ source, range: [...ranges[source]], terms, isOneTerm }))
}

/** The two ends of the rest of a list: the start is excluded, the end included. */
export function endsOf ({ filters, sort, descending, after }: ListQuery): { start: Value[], end: Value[] } {
  const [from, to] = rangeOf(sort, filters)
  const key = (value: Value) => sort === 'id' ? [] : [value]
  const low = [...key(from), BELOW_IDS]
  const high = [...key(to), BEYOND_IDS]
  const start = descending ? high : low
  return { start: after === undefined ? start : positionOf(sort, after), end: descending ? low : high }
}

/** The parameters of a position. */
export function positionOf (sort: SortKey, { key, id }: Position): Value[] {
  if (key === undefined) return [id]
  return [typeof key === 'string' || sort === 'age' ? key : new Date(key), id]
}

function rangeOf (sort: SortKey, filters: Filters): Range {
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
