import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

async function send ({ http, everything }: Service, file: string, { query = '', key = '' } = {}) {
  const headers = { authorization: `Bearer ${everything}`, 'content-type': 'text/csv', ...key === '' ? {} : { 'idempotency-key': key } }
  const url = `${PATH}/import?map=customerid:Number&map=customerid:auto${query}`
  return (await http.inject({ method: 'POST', url, headers, payload: file })).json()
}

const HEADER = 'Number,Name,Age,Address\n'
const unnumbered = (count: number) => Array.from({ length: count }, (_, index) => `,name ${index},33,x\n`).join('')
const numbersOf = async ({ db }: Service) => (await db.customer.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)

t.test('customers without a number get the next ones, also above removed customers; given numbers are kept', async t => {
  const service = await build(t)
  await service.register(7)
  await service.send('DELETE', `${PATH}/7`)
  const file = `${HEADER}${unnumbered(2)}9,given,33,x\n${unnumbered(1)}auto,wrong,33,x\n9,again,33,x\n`
  t.match(await send(service, file, { query: '&dry_run=true' }), { registered: 4, failed: 2 })
  t.match(await send(service, file), { lines: 6, registered: 4, failed: 2, errors: [{ line: 6 }, { line: 7, customerid: 9 }] })
  t.same(await numbersOf(service), [9, 10, 11, 12])
  t.match(await send(service, `${HEADER}${unnumbered(200)}`, { query: '&all_or_nothing=true' }), { registered: 200 })
  t.equal((await numbersOf(service)).at(-1), 212)
})

t.test('a cell with the word auto is not a number', async t => {
  const { http, everything } = await build(t)
  const headers = { authorization: `Bearer ${everything}`, 'content-type': 'text/csv' }
  const { body } = await http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload: `${HEADER}auto,a,33,x\n` })
  t.match(JSON.parse(body), { registered: 0, failed: 1, errors: [{ line: 2, errors: [{ field: 'customerid', rule: 'integer' }] }] })
})

t.test('imports that number customers at once, beside single ones, register each once; a key numbers once', async t => {
  const service = await build(t)
  const other = await build(t, { DATABASE_URL: service.config.databaseUrl })
  const imports = [service, other, service, other].map((it, index) => send(it, `${HEADER}${unnumbered(150)}`, { key: `k${index}` }))
  const single = Array.from({ length: 20 }, (_, index) => service.register(index * 30 + 1).then(() => 1, () => 0))
  for (const report of await Promise.all(imports)) t.match(report, { registered: 150, failed: 0 })
  const kept = (await Promise.all(single)).reduce<number>((sum, it) => sum + it, 0)
  const numbers = await numbersOf(service)
  t.equal(new Set(numbers).size, numbers.length)
  t.equal(numbers.length, 600 + kept)
  t.match(await send(service, `${HEADER}${unnumbered(150)}`, { key: 'k0' }), { registered: 150 })
  t.same(await numbersOf(service), numbers)
})

t.test('without a free number above the highest, the import is refused', async t => {
  const service = await build(t)
  await service.register(2_147_483_647)
  t.match(await send(service, `${HEADER}1,a,33,x\n${unnumbered(1)}`), { status: 400, detail: /no number above it is free/, report: { registered: 0 } })
  t.same(await numbersOf(service), [2_147_483_647])
})

if (onPostgresql) {
  t.test('with all-or-nothing, an import that numbers waits for another one before it inserts anything', async t => {
    const service = await build(t)
    const [other, watch] = [await connectTo(service.config.databaseUrl), await connectTo(service.config.databaseUrl)]
    t.teardown(async () => { await Promise.all([other.close(), watch.close()]) })
    await other.query("BEGIN; SET LOCAL lock_timeout = '500ms'; SELECT pg_advisory_xact_lock(7306001)")
    const given = Array.from({ length: 200 }, (_, index) => `${index + 1},given,33,x\n`).join('')
    const sent = send(service, `${HEADER}${given}${unnumbered(1)}`, { query: '&all_or_nothing=true' })
    while ((await watch.query("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'")).length === 0) await setTimeout(5)
    await other.query(
      "INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at) VALUES (1, 'a', 'a', 1, 'b', 1, now(), now())"
    )
    await other.query('ROLLBACK')
    t.match(await sent, { registered: 201, failed: 0 })
    t.equal((await numbersOf(service)).at(-1), 201)
  })
}
