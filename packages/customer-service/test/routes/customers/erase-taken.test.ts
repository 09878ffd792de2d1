import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

const form = { customerid: 1, customername: 'Zebedee', customerage: 33, customeraddress: 'Rue du Secret 7' }

t.test('of requests at once that erase a number or find it taken, a stored answer never says that an erased number is taken', async t => {
  const { send, register, db } = await build(t)
  const reports = async () => await db.importProgress.count({ where: { errors: { contains: '"customerid":1,' } } })
  for (let round = 0; round < 30; round++) {
    await register(1)
    const headers = { 'idempotency-key': `${round}` }
    const file = { form: Buffer.from('number,name,age,address\n1,a,3,x\n'), headers: { ...headers, 'content-type': 'text/csv' } }
    const [erased, ...written] = await Promise.all([
      send('POST', `${PATH}/1/erase`), send('POST', PATH, { form, headers }), send('POST', `${PATH}/import`, file)
    ])
    t.equal(erased.statusCode, 200)
    for (const { statusCode } of written) t.ok(statusCode < 500 && statusCode !== 404, `${statusCode}`)
    // Of those after the erasure, one registers the number, and only the other finds it taken.
    const isRegistered = await db.customer.count() === 1
    const taken = await db.idempotencyKey.count({ where: { version: null } }) + await reports()
    t.ok(taken <= (isRegistered ? 1 : 0), `${taken}`)
    await send('POST', `${PATH}/1/erase`)
    t.equal(await db.idempotencyKey.count() + await reports(), 0)
  }
})

// SQLite has one writer.
if (onPostgresql) {
  t.test('erase waits for a stored answer and a report that are about to say that the number is taken, and removes them, too', async t => {
    const service = await build(t)
    const other = await connectTo(service.config.databaseUrl)
    t.teardown(() => other.close())
    await other.query(`
      CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
      CREATE TRIGGER pause BEFORE UPDATE ON idempotency_key FOR EACH ROW EXECUTE FUNCTION pause();
      CREATE TRIGGER pause BEFORE UPDATE ON import_progress FOR EACH ROW WHEN (NEW.done > OLD.done) EXECUTE FUNCTION pause()`)
    const waiting = async () => (await service.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).length
    for (const [path, request] of [
      [PATH, { form }],
      [`${PATH}/import`, { form: Buffer.from('number,name,age,address\n1,a,3,x\n'), headers: { 'content-type': 'text/csv' } }]
    ] as const) {
      await service.register(1)
      await other.query('BEGIN; SELECT pg_advisory_xact_lock(1)')
      const taken = service.send('POST', path, { form: request.form, headers: { ...'headers' in request ? request.headers : {}, 'idempotency-key': 'k' } })
      while (await waiting() < 1);
      const erasing = { isOver: false }
      const answer = service.send('POST', `${PATH}/1/erase`).finally(() => { erasing.isOver = true })
      while (await waiting() < 2 && !erasing.isOver);
      await other.query('COMMIT')
      await taken
      t.equal((await answer).statusCode, 200)
      t.equal(await service.db.idempotencyKey.count(), 0, path)
      t.notMatch((await service.db.importProgress.findMany())[0]?.errors ?? '', /customerid":1,/)
    }
  })
}
