import t from 'tap'
import { sweep } from '../../src/plugins/clean-up.js'
import { openStores } from '../../src/stores/prisma/open.js'
import { connectTo, onPostgresql, temporaryDatabase } from '../database.js'
import { Browser, build, CALLBACK, client, query } from '../helper.js'

t.test('while another process locks the database the answer is a 503 page within 3 s, and nothing is half done', async t => {
  const { app, databaseUrl } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const transaction = await browser.consent()
  const other = await connectTo(databaseUrl)
  await other.query(onPostgresql ? 'BEGIN' : 'BEGIN IMMEDIATE')
  if (onPostgresql) await other.query('LOCK TABLE access_grant')
  const begun = Date.now()
  const refused = await Promise.all(Array.from({ length: 8 }, () => browser.post(`/consent?${query()}`, { transaction, decision: 'allow' })))
  for (const response of refused) {
    t.equal(response.statusCode, 503)
    t.ok(response.headers['retry-after'])
    t.match(response.body, 'The database does not answer right now.')
    t.equal(response.headers.location, undefined)
  }
  t.ok(Date.now() - begun < 3_000, `${Date.now() - begun} ms`)
  t.equal((await app.inject(`/authorize?${query()}`)).statusCode, 302, 'reading goes on')
  await other.query('ROLLBACK')
  await other.close()
  t.equal((await browser.post(`/consent?${query()}`, { transaction, decision: 'allow' })).statusCode, 303, 'the same form goes through, without a restart')
})

t.test('migrating again changes nothing; an edited migration is refused', async t => {
  const url = await temporaryDatabase(t)
  await (await openStores(url)).close()
  await (await openStores(url)).close()
  const database = await connectTo(url)
  t.equal((await database.query('SELECT * FROM _prisma_migrations')).length, 1)
  await database.query("UPDATE _prisma_migrations SET checksum = 'x'")
  await database.close()
  await t.rejects(openStores(url), { message: /was edited after it had been applied/ })
})

t.test('clean-up removes what has ended and keeps what has not', async t => {
  const { app, stores, databaseUrl } = await build(t)
  await new Browser(app).allow()
  await new Browser(app, '192.0.2.9').allow(query(), { username: 'ann', password: 'wrong' })
  const database = await connectTo(databaseUrl)
  const count = async () => {
    const rows = await database.query('SELECT (SELECT count(*) FROM session) AS sessions, (SELECT count(*) FROM access_grant) AS grants, (SELECT count(*) FROM throttle) AS counters')
    return Object.values(rows[0]!).map(Number)
  }
  const before = await count()
  t.same(before.slice(0, 2), [1, 1])
  await sweep(stores, new Date())
  t.same(await count(), before)
  await sweep(stores, new Date(Date.now() + 24 * 60 * 60_000))
  t.same(await count(), [0, 0, 0])
  await database.close()
})

t.test('a client put by many at once is there once, as the last one says', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url)
  await Promise.all(Array.from({ length: 4 }, () => stores.clients.put(client({ callbacks: ['https://a.example/cb', 'https://b.example/cb'] }))))
  await stores.clients.put(client({ name: 'Renamed' }))
  t.match(await stores.clients.list(), [{ id: 'app', name: 'Renamed', callbacks: [CALLBACK] }])
  await stores.close()
})
