import t from 'tap'
import type { Connection } from '@frontdesk/database/connection'
import { formatFullText } from '../../../src/stores/search/full-text.js'
import { Engine } from '../../../src/stores/search/engine.js'
import { Search } from '../../../src/stores/search/search.js'
import { parseWords } from '../../../src/stores/search/fold.js'
import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { build, PATH } from '../../support/helper.js'
import { NO_ACTOR } from '../../../src/stores/changes/change.js'

export const onBothDatabases = true

/** What another program says to add customers of these ids. */
const insert = (ids: number[]) => `INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at)
  VALUES ${ids.map(id => `(${id}, 'Zoë ${id}', 'Zoë ${id}', 30, 'Rue ${id}', 7, '2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:00.000+00:00')`).join()}`

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Identifiers that a list has. */
async function idsOf (send: Awaited<ReturnType<typeof build>>['send'], query: string): Promise<number[]> {
  const { statusCode, body } = await send('GET', `${PATH}?${query}`)
  if (statusCode !== 200) throw new Error(body)
  return JSON.parse(body).items.map(({ customerid }: { customerid: number }) => customerid)
}

/** Every customer that the full-text index has for a word. */
async function indexed (run: Awaited<ReturnType<typeof build>>['run'], word: string): Promise<number[]> {
  const query = formatFullText({ words: [word] }, onPostgresql ? 'postgres' : 'sqlite')
  const sql = onPostgresql
    ? 'SELECT id FROM customer WHERE customer_words(name_words, address_words, age) @@ CAST($1 AS tsquery) ORDER BY id'
    : 'SELECT rowid FROM customer_words WHERE customer_words MATCH ? ORDER BY rowid'
  return (await run({ sql, args: [query] })).map(([id]) => Number(id))
}

t.test('what others write into the table is in every list: what they add, change and remove', async t => {
  const { send, config, run } = await build(t)
  const other = await connectTo(config.databaseUrl)
  t.teardown(() => other.close())
  await other.query(insert(numbers(90)))
  t.equal(new Set(await idsOf(send, 'sort=address&limit=200')).size, 90)
  t.equal((await idsOf(send, 'q=zoe&limit=200')).length, 90)
  t.same(await idsOf(send, 'name=ZOE%2090'), [90])
  await other.query("UPDATE customer SET address = 'Allée Sud', version = version + 1 WHERE id = 1")
  await other.query("UPDATE customer SET name = 'Ève', age = 31 WHERE id = 2")
  await other.query('DELETE FROM customer WHERE id > 2')
  t.same(await idsOf(send, 'sort=-address'), [2, 1])
  t.same(await idsOf(send, 'q=rue'), [2])
  t.same(await idsOf(send, 'q=allee'), [1])
  t.same(await idsOf(send, 'q=eve&age_gte=31&age_lte=31'), [2])
  t.same(await indexed(run, 'zoe'), [1])
  t.same(await indexed(run, 'rue'), [2])
})

t.test('after thousands of foreign writes a list waits half a second at most, and the rest follows; by identifier it has all at once', async t => {
  const { send, search, backfill, config } = await build(t)
  const other = await connectTo(config.databaseUrl)
  t.teardown(() => other.close())
  await other.query(insert(numbers(20_000)))
  t.equal((await search.list({ filters: { words: [] }, sort: 'id', descending: true, limit: 1 })).customers[0]?.id, 20_000)
  const begin = performance.now()
  t.ok((await idsOf(send, 'q=zoe&limit=1')).length === 1)
  t.ok(performance.now() - begin < 2_500, `${Math.round(performance.now() - begin)} ms`)
  await backfill.run()
  t.same(await idsOf(send, 'q=zoe+20000'), [20_000])
  t.same(await search.count({ words: ['zoe'] }), { count: 10_000, more: true })
})

t.test('a hundred customers of very many words each are found', async t => {
  const { send, register } = await build(t)
  const words = (id: number) => Array.from({ length: 90 }, (_, index) => String.fromCodePoint(0x4e00 + 90 * (id % 2) + index)).join(' ')
  await Promise.all(numbers(100).map(async id => await register(id, 'x', words(id))))
  t.equal((await idsOf(send, `q=${encodeURIComponent('\u4e00')}&limit=200`)).length, 50)
})

t.test('several servers and another program write the same customers at once: the index has every word of every customer, and no other', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl })
  const ids = numbers(60)
  const other = await connectTo(one.config.databaseUrl)
  t.teardown(() => other.close())
  // SQLite's lock may refuse the other program, which then retries; here it does without.
  let last: Promise<unknown> = Promise.resolve()
  const write = (sql: string) => { last = last.then(() => other.query(sql)).catch(() => undefined) }
  const streets = ['Rue Nord', 'Allée Sud', 'Straße 3']
  await Promise.all(ids.map(async id => {
    await [one, two][id % 2]!.register(id, `Zoë ${id}`, 'Rue Nord')
    await Promise.all([
      two.customers.change(id, { name: `Chloé ${id}` }, 'any', NO_ACTOR),
      one.customers.change(id, { address: streets[id % 3]! }, 'any', NO_ACTOR),
      two.customers.change(id, { age: id }, 'any', NO_ACTOR),
      id % 5 === 0 ? write(`UPDATE customer SET name = 'Ben', name_key = 'Ben' WHERE id = ${id}`) : undefined,
      id % 7 === 0 ? one.search.list({ filters: { words: ['zoe'] }, sort: 'name', descending: false, limit: 5 }) : undefined,
      id % 3 === 0 ? two.customers.remove(id, 'any', NO_ACTOR) : undefined
    ])
    if (id % 6 === 0) await two.customers.register({ id, name: 'Ève', age: 1, address: 'Ici' }, NO_ACTOR)
  }))
  await last
  await Promise.all([one.backfill.run(), two.backfill.run()])
  const rows = await one.db.customer.findMany({ orderBy: { id: 'asc' } })
  t.ok(rows.length >= 40)
  const all = new Set(rows.flatMap(({ name, address }) => parseWords(`${name} ${address}`)))
  for (const word of [...all, 'zoe', 'chloe', 'nord', 'ben']) {
    const wanted = rows.filter(({ name, address }) => parseWords(`${name} ${address}`).some(own => own.startsWith(word))).map(({ id }) => id)
    t.same(await indexed(one.run, word), wanted, word)
    const { customers } = await one.search.list({ filters: { words: [word] }, sort: 'id', descending: false, limit: 200 })
    t.same(customers.map(({ id }) => id), wanted, word)
  }
})

t.test('a change of the name, the address or the age alone is found at once', async t => {
  const { send, register } = await build(t)
  await register(1, 'Zoë', 'Rue Nord')
  const patch = async (change: object) => await send('PATCH', `${PATH}/1`, { form: JSON.stringify(change), headers: { 'content-type': 'application/merge-patch+json' } })
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
})

t.test('while customers are not folded yet, lists by time and age have every customer', async t => {
  const { config, run } = await build(t)
  const other = await connectTo(config.databaseUrl)
  t.teardown(() => other.close())
  await other.query(insert(numbers(300)))
  // as: a search needs to know the dialect, and a way to run statements.
  const connection = { dialect: onPostgresql ? 'postgresql' : 'sqlite', run } as Pick<Connection, 'run'> & object as Connection
  const search = new Search(Engine.on(connection), async () => {})
  for (const sort of ['updated', 'age'] as const) {
    const { customers, next } = await search.list({ filters: { words: [] }, sort, descending: true, limit: 50 })
    t.equal(customers.length, 50)
    t.not(next, null)
  }
})

// PostgreSQL stores no such text.
if (!onPostgresql) {
  t.test('a text that is not UTF-8 is folded, too, and holds nothing up', async t => {
    const { send, config, run, backfill } = await build(t)
    const other = await connectTo(config.databaseUrl)
    t.teardown(() => other.close())
    await other.query(insert(numbers(250)))
    await other.query("UPDATE customer SET name = CAST(x'c9767a' AS TEXT) WHERE id <= 120")
    await backfill.run()
    t.same(await run({ sql: 'SELECT id FROM customer WHERE name_words || address_words IS NULL', args: [] }), [])
    t.equal((await idsOf(send, 'q=zoe&limit=200')).length, 130)
  })
}

t.test('a name may have the code point that sorts after all others', async t => {
  const { send, register } = await build(t)
  await register(1, '\u{10ffff}Ann', 'Rue')
  await register(2, 'Ann\u{10ffff}\u{10ffff}', 'Rue')
  for (const query of ['sort=name', 'sort=updated', 'q=ann', 'name_prefix=ann', 'q=rue&sort=name']) {
    t.same((await idsOf(send, query)).sort(), [1, 2], query)
  }
})
