import t from 'tap'
import { NO_ACTOR } from '../../../src/stores/changes/change.js'
import type { Place } from '../../../src/stores/duplicates/duplicates.js'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>
interface Person { id: number, name: string, age: number, address: string }

/** The pairs of all pages, as two identifiers and what is similar; and the number of pages. */
async function allPairs ({ duplicates }: Service, limit: number): Promise<{ pairs: string[], pages: number }> {
  const found: string[] = []
  let after: Place | undefined
  for (let pages = 1; ; pages++) {
    const { pairs, next } = await duplicates.list({ limit, after })
    if (pairs.length > limit) throw new Error(`${pairs.length} pairs`)
    found.push(...pairs.map(({ customers: [one, other], similar }) => `${one.id} ${other.id} ${similar.join(' ')}`))
    if (next === null) return { pairs: found, pages }
    after = next
  }
}

const register = async ({ customers }: Service, people: Person[]) =>
  await Promise.all(people.map(person => customers.register(person, NO_ACTOR)))

/** Pseudorandom numbers, the same for both databases. */
function randomNumbers (seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor(state / 2 ** 31 * below)
  }
}

/** The pairs by their definition, customer by customer. */
function expectedPairs (people: Person[]): string[] {
  const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l')
  const byName = people.toSorted((one, other) => {
    const [a, b] = [fold(one.name), fold(other.name)]
    return a === b ? one.id - other.id : a < b ? -1 : 1
  })
  return byName.flatMap((customer, index) => {
    if (customer.name === '') return []
    for (const other of byName.slice(0, index).filter(({ name }) => fold(name) === fold(customer.name)).slice(-100)) {
      const [words, others] = [fold(customer.address).split(' '), fold(other.address).split(' ')]
      const shared = words.filter(word => others.includes(word)).length
      const sameStart = words.length > 1 && words[0] === others[0] && words[1] === others[1]
      const address = customer.address !== '' && other.address !== '' && (sameStart || 2 * shared > Math.max(words.length, others.length))
      const age = Math.abs(customer.age - other.age) <= 1
      const similar = [...address ? ['address'] : [], ...age ? ['age'] : []]
      if (similar.length > 0) return [`${other.id} ${customer.id} ${similar.join(' ')}`]
    }
    return []
  })
}

t.test('pairs are those of the definition, on both databases and with pages of any size', async t => {
  for (const seed of [1, 2]) {
    const service = await build(t)
    const random = randomNumbers(seed)
    const names = ['', 'Zoë', 'zoe', 'ZOE', 'Ann', 'Łukasz', 'Li', '山田太郎', 'Bo Å']
    const words = ['rue', 'lepic', '15', 'Paris', 'Łódź', 'cler']
    const people = Array.from({ length: 200 }, (_, id): Person => ({
      id: id - 20,
      name: names[random(names.length)]!,
      age: random(60),
      // Without a word twice, which are stored once.
      address: [...new Set(Array.from({ length: random(4) }, () => words[random(words.length)]!))].join(' ')
    }))
    await register(service, people)
    const expected = expectedPairs(people)
    t.ok(expected.length > 30, `${expected.length} pairs`)
    for (const limit of [9, 200]) t.same((await allPairs(service, limit)).pairs, expected, `${limit} a page`)
  }
})

t.test('a name of thousands of customers has at most as many pairs as customers, in pages with bounded work', async t => {
  const service = await build(t)
  const size = 5_200
  await service.db.customer.createMany({
    data: Array.from({ length: size }, (_, id) => ({ id, name: 'John Smith', nameKey: 'John Smith', age: 40, address: 'Main Street', version: 1 }))
  })
  await service.backfill.run()
  const { pairs } = await allPairs(service, 200)
  t.equal(pairs.length, size - 1)
  t.same([pairs[0], pairs[1], pairs.at(-1)], ['0 1 address age', '0 2 address age', `${size - 101} ${size - 1} address age`])

  await service.db.$executeRawUnsafe("UPDATE customer SET address = '', address_words = '', age = 100 + 2 * id")
  await service.backfill.run()
  const first = await service.duplicates.list({ limit: 200 })
  t.same(first.pairs, [], 'a page without pairs')
  t.equal(first.next?.id, 4_999, 'continues after the customers that it examined')
  t.same((await allPairs(service, 200)).pages, 2)
})

t.test('a dismissed pair is not listed until one of the two changes', async t => {
  const service = await build(t)
  const { customers, duplicates, removeExpired } = service
  const zoe = { name: 'Zoë', age: 33, address: 'Rue Lepic 15' }
  await register(service, [1, 2, 3].map(id => ({ ...zoe, id })))
  t.same((await allPairs(service, 9)).pairs, ['1 2 address age', '1 3 address age'])
  t.equal(await duplicates.dismiss([3, 1]), true)
  t.equal(await duplicates.dismiss([1, 3]), true, 'again')
  t.same((await allPairs(service, 9)).pairs, ['1 2 address age', '2 3 address age'], 'the next similar one')
  t.equal(await duplicates.dismiss([2, 3]), true)
  t.same((await allPairs(service, 9)).pairs, ['1 2 address age'])
  t.equal(await duplicates.dismiss([1, 9]), false, 'there is no such customer')

  await customers.change(3, { age: 34 }, 'any', NO_ACTOR)
  t.same((await allPairs(service, 9)).pairs, ['1 2 address age', '1 3 address age'], 'one of them changed')
  await duplicates.dismiss([1, 3])
  await customers.remove(3, 'any', NO_ACTOR)
  await customers.register({ ...zoe, id: 3 }, NO_ACTOR)
  t.same((await allPairs(service, 9)).pairs, ['1 2 address age', '1 3 address age'], 'another customer got the number')

  await duplicates.dismiss([1, 3])
  await customers.erase(3, 'any', NO_ACTOR)
  t.equal(await service.db.dismissedPair.count({ where: { higherId: 3 } }), 0, 'an erasure removes its pairs')
  await duplicates.dismiss([1, 2])
  await removeExpired('dismissed pair', new Date(Date.now() + 366 * 86_400_000))
  t.equal(await service.db.dismissedPair.count(), 0)
})
