import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

t.test('an erased number does not return to the report of an import that goes on', async t => {
  const { imports, register, send } = await build(t)
  await register(1)
  const counts = { registered: 0, updated: 0, unchanged: 0 }
  const advance = async (done: number, ids: number[]) => await imports.addAndAdvance(
    [], { actor: { sub: null, clientId: null, requestId: null, operationId: 'o' }, rule: { mode: 'create', match: 'number' } },
    { hash: 'h', done: done - 1, errors: done - 1 },
    () => ({
      done, digest: '', ...counts, failed: done, errors: ids.map(id => ({ line: id, customerid: id, errors: [] })), isFinished: false
    })
  )
  await imports.begin('h')
  await advance(1, [1])
  t.match((await send('POST', `${PATH}/1/erase`)).json().removed, { importReports: 1 })
  await advance(2, [1, 2])
  await advance(3, [1, 2, 3])
  t.same((await imports.begin('h')).errors, [{ line: 1, errors: [] }, { line: 2, customerid: 2, errors: [] }, { line: 3, customerid: 3, errors: [] }])
})

// SQLite has one writer.
if (onPostgresql) {
  t.test('erase searches reports of imports before it locks the change feed', async t => {
    const service = await build(t)
    const other = await connectTo(service.config.databaseUrl)
    t.teardown(() => other.close())
    await service.register(1)
    await service.feed.read('oldest', 1)
    await service.imports.begin('h')
    await other.query('BEGIN; UPDATE import_progress SET errors = \'[{"line":1,"customerid":1,"errors":[]}]\'; COMMIT')
    await other.query('BEGIN; SELECT 1 FROM import_progress FOR UPDATE')
    const answer = service.send('POST', `${PATH}/1/erase`)
    const isWaiting = async () =>
      (await service.db.$queryRaw<unknown[]>`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).length > 0
    while (!await isWaiting());
    const free = await service.db.$queryRaw<unknown[]>`SELECT 1 FROM feed_position WHERE id = 1 FOR UPDATE SKIP LOCKED`
    await other.query('COMMIT')
    t.equal(free.length, 1)
    t.match((await answer).json().removed, { importReports: 1 })
  })
}
