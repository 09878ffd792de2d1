import { once } from 'node:events'
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { temporaryPostgres } from '@frontdesk/test-kit/database'
import t from 'tap'
import { connect } from '../src/connect.js'
import { executeStep, query, queryStep, sql } from '../src/sql.js'
import { transactOr } from '../src/transact-or.js'
import { options } from './options.js'

export const needsPostgresql = true

t.test('statements that are prepared work after another process changes the types of their columns, in a transaction, too', async t => {
  const { url, remove } = await temporaryPostgres()
  const [migrator, connection] = [await connect(url, options), await connect(url, { ...options, poolSize: 4 })]
  t.teardown(async () => {
    await Promise.all([migrator.close(), connection.close()])
    await remove()
  })
  await query(migrator, {}, sql`CREATE TABLE letter (id integer PRIMARY KEY, weight integer)`)
  await query(migrator, {}, sql`INSERT INTO letter VALUES (1, 20)`)
  const columns = { weight: 'int' } as const
  const select = sql`SELECT weight FROM letter WHERE id = ${1}`
  const alone = () => query(connection, columns, select)
  const inTransaction = () => connection.transact(() => queryStep(connection, columns, select))
  const onEachConnection = (work: typeof alone) => Promise.all(Array.from({ length: 4 }, work))
  await onEachConnection(alone)
  t.equal(connection.pool()?.idle, 4, 'each has prepared it')
  for (const [type, work] of [['bigint', alone], ['integer', inTransaction], ['bigint', inTransaction]] as const) {
    await query(migrator, {}, sql([`ALTER TABLE letter ALTER COLUMN weight TYPE ${type}`]))
    t.same(await work(), [{ weight: 20 }], type)
    t.same(await onEachConnection(work), Array(4).fill([{ weight: 20 }]), type)
  }
})

t.test('PostgreSQL ends a connection just as a transaction gets it: only the transaction fails', async t => {
  const { url, remove } = await temporaryPostgres()
  const proxy = await startProxy(url)
  const [operator, connection] = [await connect(url, options), await connect(proxy.url, options)]
  t.teardown(async () => {
    await Promise.all([operator.close(), connection.close()])
    proxy.close()
    await remove()
  })
  const one = sql`SELECT 1`
  const [{ pid } = { pid: 0 }] = await query(connection, { pid: 'int' }, sql`SELECT pg_backend_pid()`)
  proxy.hold()
  const statement = query(connection, { one: 'int' }, one)
  const transaction = connection.transact(() => queryStep(connection, { one: 'int' }, one))
  const failed = t.rejects(transaction)
  await setTimeout(100)
  await query(operator, { isEnded: 'boolean' }, sql`SELECT pg_terminate_backend(${pid})`)
  await setTimeout(100)
  proxy.release()
  t.same(await statement, [{ one: 1 }])
  await failed
  t.same(await query(connection, { one: 'int' }, one), [{ one: 1 }])
})

t.test('a transaction that its own steps roll back changes nothing, and its connection is used again', async t => {
  const { url, remove } = await temporaryPostgres()
  const connection = await connect(url, { ...options, poolSize: 1 })
  t.teardown(async () => {
    await connection.close()
    await remove()
  })
  const processes = async () => await query(connection, { pid: 'int' }, sql`SELECT pg_backend_pid()`)
  await query(connection, {}, sql`CREATE TABLE letter (id integer PRIMARY KEY)`)
  const before = await processes()
  const refused = await transactOr<string, string>(connection, function * (rolledBack) {
    yield * executeStep(connection, sql`INSERT INTO letter VALUES (1)`)
    throw rolledBack('refused')
  })
  t.equal(refused, 'refused')
  t.same(await query(connection, { id: 'int' }, sql`SELECT id FROM letter`), [])
  t.same(await processes(), before)
})

/** Starts a proxy in front of PostgreSQL that can hold back what the server sends, and then send it in one piece. */
async function startProxy (url: string) {
  const { hostname, port } = new URL(url)
  const target = new URL(url)
  let held: Buffer[] | undefined
  let latest: Socket | undefined
  const server = createServer(client => {
    const upstream = connectSocket(Number(port), hostname)
    latest = client
    client.pipe(upstream)
    upstream.on('data', data => held === undefined ? client.write(data) : held.push(data))
    upstream.on('close', () => { if (held === undefined) client.end() })
    for (const socket of [client, upstream]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // as: it listens on a port.
  target.port = `${(server.address() as AddressInfo).port}`
  return {
    url: target.href,
    hold () { held = [] },
    release () {
      latest?.end(Buffer.concat(held ?? []))
      held = undefined
    },
    close: () => server.close()
  }
}
