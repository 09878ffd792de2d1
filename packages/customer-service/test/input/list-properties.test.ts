import fc from 'fast-check'
import t, { type Test } from 'tap'
import { parseCursor, formatCursor } from '../../src/customer/cursor.js'
import { parseListQuery, type ListRequest } from '../../src/customer/list-query.js'
import { nearest } from '../../src/customer/nearest.js'
import { ProblemError } from '../../src/problems/define.js'
import type { SortKey } from '../../src/stores/search/query.js'

const text = fc.string({ unit: 'binary', maxLength: 40 })
const anything = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('%', '&', '=', '+', 'a', '0', '-', 'é', 'limit', 'sort', 'cursor', 'q', 'name') })
)
const check = <T>(t: Test, arbitrary: fc.Arbitrary<T>, holds: (value: T) => boolean) =>
  t.doesNotThrow(() => fc.assert(fc.property(arbitrary, holds), { numRuns: 500 }))

/** What is read, or `undefined` if it is refused; any error but our own is a failure. */
function tryTo (query: string): ListRequest | undefined {
  try {
    return parseListQuery(query)
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

const parameters = fc.record(
  {
    name: fc.constantFrom('Zoë', '', 'a&b=c', '🙂'),
    name_prefix: fc.constantFrom('é', '%', '+'),
    q: fc.constantFrom('a b', 'B  c', '!', 'é'),
    age_gte: fc.oneof(fc.nat(200).map(String), text),
    age_lte: fc.nat(200).map(String),
    updated_since: fc.oneof(
      fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }).map(date => date.toISOString()),
      text
    ),
    sort: fc.constantFrom('id', '-id', 'name', '-name', 'age', '-age', 'address', '-address', 'updated', '-updated', 'other'),
    limit: fc.nat(250).map(String),
    total: fc.constantFrom('true', 'false', '1')
  },
  { requiredKeys: [] }
)

t.test('queries: any text is read or refused, and what is read is read the same when it is printed', async t => {
  const isStable = (query: string) => {
    const read = tryTo(query)
    const again = read === undefined ? undefined : tryTo(read.first)
    if (read === undefined) return true
    const { after, ...first } = read.query
    return JSON.stringify(again?.query) === JSON.stringify(first) && again?.first === read.first
  }
  check(t, anything, isStable)
  check(t, parameters, values => isStable(new URLSearchParams(values as Record<string, string>).toString()))
})

t.test('cursors: the page after a position begins there, for the same list and for no other', async t => {
  const position = fc.oneof(
    fc.record({ id: fc.integer() }).map(position => ({ sort: 'id' as SortKey, position })),
    fc
      .record({ id: fc.integer(), key: fc.nat(4e12) })
      .map(position => ({ sort: 'updated' as SortKey, position })),
    fc
      .record({ id: fc.integer(), key: text.filter(key => !/[\p{Cc}\p{Cs}]/u.test(key)) })
      .map(position => ({ sort: 'name' as SortKey, position }))
  )
  check(t, fc.tuple(position, text, text), ([{ sort, position }, list, other]) => {
    const cursor = formatCursor(position, list)
    return (
      JSON.stringify(parseCursor(cursor, sort, list)) === JSON.stringify(position) &&
      (other === list || parseCursor(cursor, sort, other) === undefined)
    )
  })
  check(
    t,
    fc.tuple(
      fc.oneof(
        anything,
        fc.json().map(json => Buffer.from(json).toString('base64url'))
      ),
      fc.constantFrom<SortKey>('id', 'name', 'age', 'address', 'updated')
    ),
    ([cursor, sort]) => {
      const read = parseCursor(cursor, sort, 'list')
      return read === undefined || formatCursor(read, 'list') === cursor
    }
  )
  check(t, fc.tuple(position, fc.constantFrom('q=a', '')), ([{ sort, position }, filters]) => {
    const wanted = parseListQuery(`${filters}&sort=${sort}`)
    return JSON.stringify(parseListQuery(`${wanted.first}&cursor=${wanted.next(position)}`).query.after) === JSON.stringify(position)
  })
})

t.test('the nearest name is one of the names, and a name is nearest to itself', async t => {
  const names = ['limit', 'sort', 'q', 'name_prefix']
  check(t, anything, written => [undefined, ...names].includes(nearest(written, names)))
  for (const name of names) t.equal(nearest(name.toUpperCase(), names), name)
  t.equal(nearest('colour', names), undefined)
})
