import type { Filters, ListQuery } from './query.js'
import { foldName } from './fold.js'
import type { Source } from './statements.js'

/** A parameter of a statement, and its type, as Prisma's drivers call it. */
export type Value = readonly [value: string | number | Date, type: 'string' | 'int' | 'datetime']

/** Two bounds, both inclusive. */
type Range = readonly [from: Value, to: Value]

/** Sorts after every text: no name and no word contains it. */
const LAST = '\u{10ffff}'
const MAX_AGE = 150
const FIRST_TIME = new Date(0)
const LAST_TIME = new Date('9999-12-31T23:59:59.999Z')

/** One more than the largest identifier. */
const BEYOND_IDS = 2 ** 31

const text = (value: string): Value => [value, 'string']
const time = (value: Date): Value => [value, 'datetime']
const times = ({ updatedSince = FIRST_TIME }: Filters): Range => [time(updatedSince), time(LAST_TIME)]
const ages = ({ minAge = 0, maxAge = MAX_AGE }: Filters): Range => [whole(minAge), whole(maxAge)]

/** An integer parameter. */
export function whole (value: number): Value {
  return [value, 'int']
}

/** The bounds of all filters, and the number of words among them; `null` if no customer can match. */
export function boundsOf (filters: Filters): { values: Value[], words: number } | null {
  const { name, namePrefix = '', words } = filters
  if (name !== undefined && !foldName(name).startsWith(foldName(namePrefix))) return null
  const patterns = words.map(word => text(`% ${word}%`))
  while (![2, 8].includes(patterns.length)) patterns.push(text('%'))
  return { values: [...names(filters), ...ages(filters), ...times(filters), ...patterns], words: patterns.length }
}

/** The filters that are given, with their bounds; the ones that are usually most selective first. */
export function sourcesOf (filters: Filters): Array<{ source: Source, bounds: Range }> {
  const { name, namePrefix, words, minAge, maxAge, updatedSince } = filters
  return [
    ...words.map(word => ({ source: 'word' as const, bounds: [text(word), text(word + LAST)] as const })),
    ...name === undefined && namePrefix === undefined ? [] : [{ source: 'name' as const, bounds: names(filters) }],
    ...updatedSince === undefined ? [] : [{ source: 'updated' as const, bounds: times(filters) }],
    ...minAge === undefined && maxAge === undefined ? [] : [{ source: 'age' as const, bounds: ages(filters) }]
  ]
}

/** The two ends of the rest of a list: the start is excluded, the end included. */
export function endsOf ({ filters, sort, descending, after }: ListQuery): { start: Value[], end: Value[] } {
  const [from, to] = sort === 'name' ? names(filters) : times(filters)
  const key = (value: Value) => sort === 'id' ? [] : [value]
  const low = [...key(from), whole(0)]
  const high = [...key(to), whole(BEYOND_IDS)]
  const start = descending ? high : low
  return { start: after === undefined ? start : positionOf(after), end: descending ? low : high }
}

/** The parameters of a position. */
export function positionOf ({ key, id }: NonNullable<ListQuery['after']>): Value[] {
  if (key === undefined) return [whole(id)]
  return [typeof key === 'string' ? text(key) : time(new Date(key)), whole(id)]
}

function names ({ name, namePrefix = '' }: Filters): Range {
  return name === undefined ? [text(foldName(namePrefix)), text(foldName(namePrefix) + LAST)] : [text(foldName(name)), text(foldName(name))]
}
