import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { connectTo, onPostgresql, temporaryDatabase } from '@frontdesk/test-kit/database'
import { PATH, build, standardWaits } from '../../support/helper.js'

export const onBothDatabases = true

const form = (id: number) => ({ customerid: id, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' })

t.test('writes of two replicas that conflict are run again or answered with 503, never 500', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  if (onPostgresql) {
    const operator = await connectTo(DATABASE_URL)
    // Whatever touches the same rows fails with 40001.
    await operator.query(`ALTER DATABASE ${new URL(DATABASE_URL).pathname.slice(1)} SET default_transaction_isolation = 'serializable'`)
    await operator.close()
  }
  const replicas = [await build(t, { DATABASE_URL }), await build(t, { DATABASE_URL, AUTH: 'none' })]
  await replicas[0]?.register(1)
  const statuses = new Map<number, number>()
  const count = ({ statusCode }: { statusCode: number }) => { statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1) }
  await Promise.all(Array.from({ length: 16 }, async (_, lane) => {
    const { send } = replicas[lane % 2]!
    for (let round = 0; round < 8; round++) {
      count(await send('PATCH', `${PATH}/1`, { form: { customerage: round } }))
      count(await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: `${lane} ${round}` } }))
      count(
        await send('POST', PATH, {
          form: { ...form(100 + round), customername: 'other' },
          headers: { 'idempotency-key': `${lane % 4}-${round}` }
        })
      )
      count(await send('DELETE', `${PATH}/${100 + round}`))
      count(await send('GET', `${PATH}?sort=name`))
    }
  }))
  t.same([...statuses.keys()].filter(status => ![200, 201, 204, 404, 409, 503].includes(status)), [], JSON.stringify([...statuses]))
  t.ok((statuses.get(204) ?? 0) > 128, 'most of it is done')
})

if (onPostgresql) {
  t.test('a customer that another transaction has locked does not hold up others', async t => {
    const service = await build(t)
    const ids = Array.from({ length: 20 }, (_, index) => index + 1)
    for (const id of ids) await service.send('POST', PATH, { form: { ...form(id), customername: `name ${id}` } })
    const other = await connectTo(service.config.databaseUrl)
    t.teardown(() => other.close())
    await other.query('BEGIN; SELECT 1 FROM customer WHERE id = 7 FOR UPDATE')
    const { etag } = (await service.send('GET', `${PATH}/8`)).headers
    const changes = {
      PATCH: (id: number) => service.send('PATCH', `${PATH}/${id}`, { form: { customerage: 40 }, headers: id === 8 ? { 'if-match': `${etag}` } : {} }),
      PUT: (id: number) => service.send('PUT', PATH, { form: { customername: `name ${id}`, customeraddress: 'colombo' } }),
      DELETE: (id: number) => service.send('DELETE', `${PATH}/${id}`)
    }
    for (const [name, change] of Object.entries(changes)) {
      const answers = await Promise.all(ids.map(async id => (await change(id)).statusCode))
      t.same(answers, ids.map(id => id === 7 ? 503 : 204), name)
    }
  })

  t.test('many customers that another transaction has locked do not hold up others either', async t => {
    standardWaits(t)
    const service = await build(t)
    const ids = Array.from({ length: 40 }, (_, index) => index + 1)
    for (const id of ids) await service.send('POST', PATH, { form: { ...form(id), customername: `name ${id}` } })
    const other = await connectTo(service.config.databaseUrl)
    t.teardown(() => other.close())
    await other.query('BEGIN; SELECT 1 FROM customer WHERE id <= 16 FOR UPDATE')
    const answers = await Promise.all(ids.map(async id => (await service.send('PATCH', `${PATH}/${id}`, { form: { customerage: 40 } })).statusCode))
    t.same(answers, ids.map(id => id <= 16 ? 503 : 204))
  })

  t.test('a transaction that PostgreSQL ends because of a deadlock is run again', async t => {
    const { config, send, read } = await build(t)
    const other = await connectTo(config.databaseUrl)
    t.teardown(() => other.close())
    const watch = await connectTo(config.databaseUrl)
    t.teardown(() => watch.close())
    // So that PostgreSQL ends the transaction of the service, not this one.
    await other.query("SET deadlock_timeout = '30s'")
    await other.query(
      "BEGIN; INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at) VALUES (7, 'a', 'a', 1, 'b', 1, now(), now())"
    )
    const posted = send('POST', PATH, { form: form(7), headers: { 'idempotency-key': 'seven' } })
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while ((await watch.query(waiting)).length === 0) await setTimeout(5)
    // The service has written the key and waits for the customer; we hold the customer and wait for the keys.
    await other.query('LOCK TABLE idempotency_key IN EXCLUSIVE MODE')
    await other.query('ROLLBACK')
    t.equal((await posted).statusCode, 201)
    t.match(await read(7), { customername: 'charitha' })
  })
}
