import t from 'tap'
import { SearchIndexer } from '../../../src/stores/search/search-indexer.js'
import { connectTo } from '@frontdesk/test-kit/database'
import { build, PATH } from '../../helper.js'

export const onBothDatabases = true

/** What a version that knows no lists says to add customers of these ids. */
const insert = (ids: number[]) => `INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at)
  VALUES ${ids.map(id => `(${id}, 'Zoë ${id}', 'Zoë ${id}', 30, 'Rue ${id}', 7, '2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:00.000+00:00')`).join()}`

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Identifiers that a list has. */
async function idsOf (send: Awaited<ReturnType<typeof build>>['send'], query: string): Promise<number[]> {
  const { statusCode, body } = await send('GET', `${PATH}?${query}`)
  if (statusCode !== 200) throw new Error(body)
  return JSON.parse(body).items.map(({ customerid }: { customerid: number }) => customerid)
}

t.test('what others write into the table is in every list: what they add, change and remove', async t => {
  const { send, searchIndex, config, db } = await build(t)
  const old = await connectTo(config.databaseUrl)
  t.teardown(() => old.close())
  await old.query(insert(numbers(90)))
  t.equal((await idsOf(send, 'q=zoe&limit=200')).length, 90)
  t.same(await idsOf(send, 'name=ZOE%2090'), [90])
  await old.query("UPDATE customer SET address = 'Allée Sud', version = version + 1 WHERE id = 1")
  await old.query('DELETE FROM customer WHERE id > 1')
  t.same(await idsOf(send, 'q=rue'), [])
  t.same(await idsOf(send, 'q=allee'), [1])
  t.same(
    (await db.listedWord.findMany({ orderBy: { word: 'asc' } })).map(({ word, customerId }) => `${word} ${customerId}`),
    ['1 1', 'allee 1', 'sud 1', 'zoe 1']
  )
  t.same((await db.listedCustomer.findMany()).map(({ id }) => id), [1])
  t.equal(await searchIndex.update(), 0)
})

t.test('after thousands of changes a list waits for some, and has the rest later; by identifier it has all at once', async t => {
  const { send, search, searchIndex, config } = await build(t)
  const old = await connectTo(config.databaseUrl)
  t.teardown(() => old.close())
  await old.query(insert(numbers(5_150)))
  t.equal((await search.list({ filters: { words: [] }, sort: 'id', descending: true, limit: 1 })).customers[0]?.id, 5_150)
  const [last] = await idsOf(send, 'q=zoe&sort=-id&limit=1')
  t.ok(last !== undefined && last >= 100 && last <= 5_000, `up to ${last}`)
  while (await searchIndex.update() > 0);
  t.same(await idsOf(send, 'q=zoe&sort=-id&limit=1'), [5_150])
})

t.test('a hundred customers of very many words each are found', async t => {
  const { send, register, searchIndex } = await build(t)
  const words = (id: number) => Array.from({ length: 90 }, (_, index) => String.fromCodePoint(0x4e00 + 90 * (id % 2) + index)).join(' ')
  await Promise.all(numbers(100).map(async id => await register(id, 'x', words(id))))
  while (await searchIndex.update() > 0);
  t.equal((await idsOf(send, `q=${encodeURIComponent('\u4e00')}&limit=200`)).length, 50)
})

t.test('several servers index at once, while others write, and are stopped in the middle: lists know all in the end', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl })
  const log = { info: () => {}, warn: () => {} }
  const [first, second] = [new SearchIndexer(one.searchIndex, log), new SearchIndexer(two.searchIndex, log)]
  first.start()
  second.start()
  const ids = numbers(60)
  await Promise.all(ids.map(async id => {
    await [one, two][id % 2]!.register(id, `Zoë ${id}`, 'Rue Nord')
    await [two, one][id % 2]!.customers.change(id, { address: 'Allée Sud' }, 'any')
    if (id % 3 === 0) await one.customers.remove(id, 'any')
    if (id % 6 === 0) await two.register(id, 'Ève', 'Ici')
  }))
  await second.stop()
  await first.stop()
  t.same(await idsOf(one.send, 'q=nord&limit=200'), [])
  t.same(await idsOf(one.send, 'q=zoe+sud&limit=200'), ids.filter(id => id % 3 !== 0))
  t.same(await idsOf(two.send, 'q=eve+ici&limit=200'), ids.filter(id => id % 6 === 0))
  // Zoë, the number, Allée, Sud; Ève, Ici.
  t.equal(await one.db.listedWord.count(), 40 * 4 + 10 * 2)
})

t.test('a change of the name, the address or the age alone is found at once', async t => {
  const { send, register, searchIndex } = await build(t)
  await register(1, 'Zoë', 'Rue Nord')
  const patch = async (change: object) =>
    await send('PATCH', `${PATH}/1`, { form: JSON.stringify(change), headers: { 'content-type': 'application/merge-patch+json' } })
  const table: Array<[change: object, found: string[], gone: string[]]> = [
    [{ customeraddress: 'Allée Sud' }, ['q=zoe+allee', 'name=zoe'], ['q=nord']],
    [{ customername: 'Chloé' }, ['q=chloe+sud', 'name=chloe'], ['q=zoe', 'name=zoe']],
    [{ customerage: 40 }, ['q=chloe&age_gte=40'], ['age_lte=39']],
    [{ customername: 'Ève', customeraddress: 'Ici' }, ['q=eve+ici', 'name_prefix=e'], ['q=chloe', 'q=sud']]
  ]
  for (const [change, found, gone] of table) {
    const { statusCode, body } = await patch(change)
    t.ok(statusCode < 300, body)
    for (const query of found) t.same(await idsOf(send, query), [1], query)
    for (const query of gone) t.same(await idsOf(send, query), [], query)
  }
  t.equal(await searchIndex.update(), 0)
})
