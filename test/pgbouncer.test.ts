import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { KEEPS_STATEMENTS, startPgBouncer, versionOfPgBouncer } from './support/pgbouncer.js'
import { load as loadModule } from './support/load.js'
import { startFleet } from './support/replicas/fleet.js'
import { Load } from './support/replicas/load.js'
import { Postgres } from './support/stack.js'

const version = versionOfPgBouncer()
const skip = version === undefined && 'PgBouncer is not installed; Debian has it as the package pgbouncer.'

/** Fewer connections to PostgreSQL, of each database, than the services make to PgBouncer. */
const POOL = 3
const SETTINGS = { default_pool_size: POOL, ignore_startup_parameters: 'statement_timeout' }

const server = await Postgres.create()
t.teardown(() => server.remove())
if (!skip) await server.start()

await t.test(
  'behind PgBouncer in transaction mode, replicas that start together migrate once, and every request is answered as it should be',
  { skip },
  async t => {
    const fleet = await startFleet(t, await startPgBouncer(t, server.url, SETTINGS), { LOG_LEVEL: 'warn' })
    const load = new Load(fleet)
    await load.start({ people: 2, writers: 8 })
    const admin = new pg.Client(server.url)
    await admin.connect()
    const most: Record<string, number> = {}
    for (let look = 0; look < 10; look++) {
      await setTimeout(150)
      const { rows } = await admin.query(
        "SELECT datname, count(*)::int AS connections FROM pg_stat_activity WHERE datname IN ('auth_server', 'customer_service') GROUP BY 1"
      )
      for (const { datname, connections } of rows) most[datname] = Math.max(most[datname] ?? 0, connections)
    }
    await load.stop()
    await admin.end()
    t.same(load.complaints, [])
    t.ok(load.ledger.acknowledged > 20, `${load.ledger.acknowledged} writes`)
    t.same(Object.keys(most).sort(), ['auth_server', 'customer_service'])
    for (const [database, connections] of Object.entries(most)) t.ok(connections <= POOL, `${database}: ${connections} connections`)
    t.same(await fleet.stop(), [0, 0, 0, 0])
  }
)

await t.test('statements may stay prepared behind a PgBouncer that keeps them, from 1.21 on, and not before', { skip }, async t => {
  const keeps = version! >= KEEPS_STATEMENTS
  const DATABASE_URL = await startPgBouncer(t, server.url, { ...SETTINGS, ...(keeps ? { max_prepared_statements: 100 } : {}) })
  const { stores: { customers }, close } = await openCustomers({ DATABASE_URL, DATABASE_PREPARED_STATEMENTS: 'on' })
  const actor = { sub: null, clientId: null, requestId: null, operationId: null }
  const register = (id: number) => customers.register({ id, name: 'a', age: 1, address: 'b' }, actor)
  await register(1)
  // The transaction of another client holds the connection that it was prepared on, since that was used last.
  const other = new pg.Client(DATABASE_URL)
  await other.connect()
  await other.query('BEGIN')
  if (keeps) await Promise.all(Array.from({ length: 200 }, (_, index) => register(2 + index)))
  else await t.rejects(register(2), /prepared statement .* does not exist/)
  await other.end()
  await close()
})

await t.test('a PgBouncer that does not accept statement_timeout is reported with a sentence', { skip }, async t => {
  const DATABASE_URL = await startPgBouncer(t, server.url)
  await t.rejects(openCustomers({ DATABASE_URL }), {
    message:
      /^The proxy in front of PostgreSQL does not accept statement_timeout\. With PgBouncer, set ignore_startup_parameters = statement_timeout\.$/
  })
})

async function openCustomers (env: Record<string, string>) {
  const { loadConfig } = await loadModule<typeof import('../packages/customer-service/src/config.js')>('customer-service', 'config.js')
  const { openDatabase } = await loadModule<typeof import('../packages/customer-service/src/stores/open.js')>(
    'customer-service',
  'stores/open.js'
  )
  return await openDatabase(loadConfig(env))
}
