import t from 'tap'
import { NumberSet } from '../../../src/customer/import/number-set.js'

t.test('a number set finds what a set of JavaScript finds: dense, sparse, negative, 0 and the largest numbers', async t => {
  const numbers = Array.from({ length: 20_000 }, (_, index) =>
    [index - 100, (index * 2_654_435 + 7) % 2 ** 31 + 1, index << 16, 2 ** 31 - 1 - index, index - 2 ** 31][index % 5]!)
  const [set, expected] = [new NumberSet(1_000_000), new Set<number>()]
  const wrong = [...numbers, ...numbers].filter(number => {
    const isThere = expected.has(number)
    expected.add(number)
    return set.addOrFind(number) !== isThere
  })
  t.same(wrong, [])
})

t.test('a number set keeps no more numbers than its limit', async t => {
  const set = new NumberSet(2)
  t.same([1, 2, 3, 3, 1, 2].map(number => set.addOrFind(number)), [false, false, false, false, true, true])
})
