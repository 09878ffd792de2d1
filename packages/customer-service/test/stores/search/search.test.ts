import fc from 'fast-check'
import t from 'tap'
import { parseWords } from '../../../src/stores/search/fold.js'
import { parseMeaning } from '../../../src/stores/search/meaning.js'
import type { ListQuery } from '../../../src/stores/search/query.js'
import { build } from '../../support/helper.js'
import { follow, model } from '../../support/search-model.js'
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

/** Search texts: numbers, ages, names and words. */
const TYPED = [
  '1', '2', '20', '7', '-5', '150', '#7', 'No. 7', 'Nr. 2147483647', '# 99', '# 9999999999', '9999999999', '5-20', '20 – 5', '20-9999999999', '> 80',
  '>= 150', '<0', '<= -5', '> 9999999999', 'anna', 'Änna', 'Smith Anna', 'straße', 'b', '李小龍', '🙂 b'
]

/** Parts of words without spaces. */
const PARTS = ['太郎', '田太', '太山', '郎', '京tow', 'tower東', '区丸の内1丁目1', '内1番', '々木', 'ヤマタ', 'ー', '𠮷𠮷𠮷', 'ชา', '小龍']

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
    text: fc.constantFrom(...TYPED),
    updatedSince: fc.constantFrom(...all.map(({ updatedAt }) => new Date(updatedAt)))
  }, { requiredKeys: [] })
  const words = fc.array(fc.constantFrom('a', 'anna', 's', 'str', 'rue', 'n', '1', '5', '李', 'दि', 'lukasz', 'nobody', ...PARTS), { maxLength: 3 })
  const query = fc.record({
    filters: fc.tuple(filters, words).map(([{ text, ...some }, words]) =>
      ({ ...some, words, ...text === undefined ? {} : parseMeaning(text) })),
    sort: fc.constantFrom('id' as const, 'name' as const, 'age' as const, 'address' as const, 'updated' as const),
    descending: fc.boolean(),
    limit: fc.constantFrom(1, 7, 50, 200)
  })
  await t.resolves(fc.assert(fc.asyncProperty(query, async query => {
    const wanted = model(all, query)
    const found = (await follow(search, query)).map(({ id }) => id)
    const { count, more } = await search.count(query.filters)
    return JSON.stringify(found) === JSON.stringify(wanted) && count === wanted.length && !more
  }), { numRuns: 200 }))
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
