import type { Filters, ListQuery } from './query.js'
import { foldName } from './fold.js'
import type { Source } from './statements.js'

/** A value on its way to the database, and its type, as Prisma's drivers call it. */
export type Value = readonly [value: string | number | Date, type: 'string' | 'int' | 'datetime']

/** Two bounds, both of them in. */
type Range = readonly [from: Value, to: Value]

/** After every text: no name and no word holds it. */
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

/** A whole number for a statement. */
export function whole (value: number): Value {
  return [value, 'int']
}

/** The bounds of all filters, and how many words among them; `null` where no customer can fit. */
export function boundsOf (filters: Filters): { values: Value[], words: number } | null {
  const { name, namePrefix = '', words } = filters
  if (name !== undefined && !foldName(name).startsWith(foldName(namePrefix))) return null
  const patterns = words.map(word => text(`% ${word}%`))
  while (![2, 8].includes(patterns.length)) patterns.push(text('%'))
  return { values: [...names(filters), ...ages(filters), ...times(filters), ...patterns], words: patterns.length }
}

/** The filters that are given, each with its bounds; those first that usually let the fewest through. */
export function sourcesOf (filters: Filters): Array<{ source: Source, bounds: Range }> {
  const { name, namePrefix, words, minAge, maxAge, updatedSince } = filters
  return [
    ...words.map(word => ({ source: 'word' as const, bounds: [text(word), text(word + LAST)] as const })),
    ...name === undefined && namePrefix === undefined ? [] : [{ source: 'name' as const, bounds: names(filters) }],
    ...updatedSince === undefined ? [] : [{ source: 'updated' as const, bounds: times(filters) }],
    ...minAge === undefined && maxAge === undefined ? [] : [{ source: 'age' as const, bounds: ages(filters) }]
  ]
}

/** The two ends of what is left of a list: the start is out, the end is in. */
export function endsOf ({ filters, sort, descending, after }: ListQuery): { start: Value[], end: Value[] } {
  const [from, to] = sort === 'name' ? names(filters) : times(filters)
  const key = (value: Value) => sort === 'id' ? [] : [value]
  const low = [...key(from), whole(0)]
  const high = [...key(to), whole(BEYOND_IDS)]
  const start = descending ? high : low
  return { start: after === undefined ? start : positionOf(after), end: descending ? low : high }
}

/** A position for a statement. */
export function positionOf ({ key, id }: NonNullable<ListQuery['after']>): Value[] {
  if (key === undefined) return [whole(id)]
  return [typeof key === 'string' ? text(key) : time(new Date(key)), whole(id)]
}

function names ({ name, namePrefix = '' }: Filters): Range {
  return name === undefined ? [text(foldName(namePrefix)), text(foldName(namePrefix) + LAST)] : [text(foldName(name)), text(foldName(name))]
}
