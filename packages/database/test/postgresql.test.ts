import { temporaryPostgres } from '@frontdesk/test-kit/database'
import t from 'tap'
import { connect } from '../src/connect.js'
import { query, queryStep, sql } from '../src/sql.js'
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
