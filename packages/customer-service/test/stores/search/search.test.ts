import fc from 'fast-check'
import t from 'tap'
import type { Listed, ListQuery, Position } from '../../../src/stores/search/query.js'
import type { Search } from '../../../src/stores/search/search.js'
import { foldName, foldWords, parseWords } from '../../../src/stores/search/fold.js'
import { build } from '../../support/helper.js'
import { NO_ACTOR } from '../../../src/stores/changes/change.js'

export const onBothDatabases = true

const NAMES = [
  'Anna',
  'anna',
  'Änna',
  'Anna Smith',
  'Zoë',
  'zoe',
  'Łukasz',
  'Straße',
  'STRASSE',
  '李小龍',
  '🙂',
  '\uffee',
  '\u{10000}',
  'ａnna',
  'b',
  'B c',
  '山田太郎',
  '東京Tower',
  'ﾔﾏﾀﾞ 佐々木ー',
  'สมชาย'
]
/** Longer than the sort key, of letters outside the Basic Multilingual Plane. */
const LONG = '𠮷'.repeat(70)
const STREETS = ['Rue du Nord 1', 'Main Street', '東京都千代田区丸の内1丁目1番', 'Tower東京 2', 'Straße 3', 'STRASSE 20', 'दिल्ली', 'x', '!', `${LONG} 2`, `${LONG} 1`]

/** Parts of words without spaces. */
const PARTS = ['太郎', '田太', '太山', '郎', '京tow', 'tower東', '区丸の内1丁目1', '内1番', '々木', 'ヤマタ', 'ー', '𠮷𠮷𠮷', 'ชา', '小龍']

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
function model (all: Listed[], { filters, sort, descending }: ListQuery): number[] {
  const { name, namePrefix, words, minAge = -Infinity, maxAge = Infinity, updatedSince = new Date(0) } = filters
  const fitting = all.filter(it => {
    return (name === undefined || foldName(it.name) === foldName(name)) &&
      (namePrefix === undefined || foldName(it.name).startsWith(foldName(namePrefix))) &&
      words.every(word => has(it, word)) &&
      it.age >= minAge && it.age <= maxAge && new Date(it.updatedAt) >= updatedSince
  })
  const order = (one: Listed, other: Listed) =>
    compareBy[sort](one, other) || one.id - other.id
  return fitting.sort(order).map(({ id }) => id)[descending ? 'reverse' : 'slice']()
}

/** Every customer of a list, page after page. */
async function follow (search: Pick<Search, 'list'>, query: ListQuery): Promise<Listed[]> {
  const all: Listed[] = []
  let after: Position | null = null
  do {
    const page = await search.list({ ...query, ...after === null ? {} : { after } })
    all.push(...page.customers)
    after = page.next
  } while (after !== null)
  return all
}

t.test('any filters in any order give exactly the customers that fit, on both databases the same', async t => {
  const { customers, search } = await build(t)
  for (let id = -20; id < 60; id++) {
    const age = [id * 7 % 90, id, -(2 ** 31), 2 ** 31 - 1][id % 8 === 0 ? Math.abs(id / 8) % 4 : 0]!
    const [name, address] = [NAMES, STREETS].map(list => list[Math.abs(id) % list.length]!) as [string, string]
    await customers.register({ id, name, age, address }, NO_ACTOR)
    // Times that several share, and times that differ.
    if (id % 9 === 0) await new Promise(resolve => { setTimeout(resolve, 2) })
  }
  await customers.register({ id: 2147483647, name: 'Anna', age: 150, address: 'x' }, NO_ACTOR)
  await customers.register({ id: -2147483648, name: '', age: -5, address: '' }, NO_ACTOR)
  const everything: ListQuery = { filters: { words: [] }, sort: 'id', descending: false, limit: 200 }
  const all = await follow(search, everything)
  t.equal(all.length, 82)
  const text = fc.constantFrom(...NAMES, 'a', 'st', 'nobody', '')
  const filters = fc.record({
    name: text,
    namePrefix: text,
    minAge: fc.oneof(fc.integer({ min: -30, max: 150 }), fc.integer()),
    maxAge: fc.oneof(fc.integer({ min: -30, max: 150 }), fc.integer()),
    updatedSince: fc.constantFrom(...all.map(({ updatedAt }) => new Date(updatedAt)))
  }, { requiredKeys: [] })
  const words = fc.array(fc.constantFrom('a', 'anna', 's', 'str', 'rue', 'n', '1', '5', '李', 'दि', 'lukasz', 'nobody', ...PARTS), { maxLength: 3 })
  const query = fc.record({
    filters: fc.tuple(filters, words).map(([some, words]) => ({ ...some, words })),
    sort: fc.constantFrom('id' as const, 'name' as const, 'age' as const, 'address' as const, 'updated' as const),
    descending: fc.boolean(),
    limit: fc.constantFrom(1, 7, 50, 200)
  })
  await t.resolves(fc.assert(fc.asyncProperty(query, async query => {
    const wanted = model(all, query)
    const found = (await follow(search, query)).map(({ id }) => id)
    const { count, more } = await search.count(query.filters)
    return JSON.stringify(found) === JSON.stringify(wanted) && count === wanted.length && !more
  }), { numRuns: 150 }))
})

t.test('in scripts without spaces, every part of a word is found, in random texts', async t => {
  const { customers, search } = await build(t)
  const text = fc.string({ unit: fc.constantFrom(...'山田太ー々カｶﾞが𠮷ไท김ab1 -'), maxLength: 8 })
  const texts = fc.sample(fc.tuple(text, text), { numRuns: 150, seed: 5 })
  for (const [id, [name, address]] of texts.entries()) await customers.register({ id, name, age: 1, address }, NO_ACTOR)
  const all = await follow(search, { filters: { words: [] }, sort: 'id', descending: false, limit: 200 })
  const part = fc.oneof(fc.string({ unit: fc.constantFrom(...'山田太ー々カが𠮷ไท김ab1'), minLength: 1, maxLength: 4 }), text)
  let most = 0
  await t.resolves(fc.assert(fc.asyncProperty(part, fc.constantFrom('id' as const, 'name' as const), async (typed, sort) => {
    const query: ListQuery = { filters: { words: parseWords(typed) }, sort, descending: false, limit: 7 }
    const wanted = model(all, query)
    if (query.filters.words.length > 0 && [...typed].length > 2) most = Math.max(most, wanted.length)
    return JSON.stringify((await follow(search, query)).map(({ id }) => id)) === JSON.stringify(wanted) &&
      (await search.count(query.filters)).count === wanted.length
  }), { numRuns: 300 }))
  t.ok(most > 3, `up to ${most} customers`)
})
