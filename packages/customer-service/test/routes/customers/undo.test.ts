import t from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows, undo } from '../../support/import-rows.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

const list = async ({ send }: Service) => (await send('GET', `${PATH}/operations`)).json().items
const kinds = async ({ db }: Service, customerId: number) =>
  (await db.customerChange.findMany({ where: { customerId }, orderBy: { seq: 'asc' } })).map(({ kind }) => kind)

t.test('undo of an import of 1,000 customers keeps two that a colleague changed, and names them', async t => {
  const service = await build(t)
  const { send, issuer, read, db } = service
  const { operation } = await importFile(service, HEADER + rows(1, 1_000))
  const token = await issuer.mint({ claims: { sub: 'colleague' } })
  await send('PATCH', `${PATH}/7`, { form: { customerage: 70 }, token })
  await send('DELETE', `${PATH}/9`, { token })
  await service.register(2_000)

  const skipped = [
    { customerid: 7, reason: 'changed', detail: 'Was changed later.', at: /Z$/, sub: 'colleague' },
    { customerid: 9, reason: 'removed', detail: 'Was removed later.', at: /Z$/, sub: 'colleague' }
  ]
  const counts = { customers: 1_000, reverted: 998, skipped: 2, reasons: skipped, hasMoreReasons: false }
  const dry = await undo(service, operation, { query: '?dry_run=true' })
  t.match(dry, { ...counts, dryRun: true })
  t.notOk('operation' in dry)
  t.equal(await db.customer.count(), 1_000, 'a dry run changes nothing')

  const report = await undo(service, operation)
  t.match(report, { ...counts, operation: /^[\w-]{22}$/, dryRun: false })
  t.same([await db.customer.count(), (await read(7)).customerage, await read(9), await read(8)], [2, 70, 404, 404])
  t.match(await list(service), [
    { operation: report.operation, kind: 'undo', customers: 998, undoes: operation }, { operation, undone: report.operation }
  ])
  t.same(await undo(service, operation), report, 'the second time, it reports the same and changes nothing')
  t.same(await kinds(service, 8), ['registered', 'removed'])
  const history = (await send('GET', `${PATH}/8/history`)).json().items
  t.match(history, [{ kind: 'removed', operation: report.operation }, { kind: 'registered', operation }])
})

t.test('the report of an undo says that it has not all reasons', async t => {
  const service = await build(t)
  const { operation } = await importFile(service, HEADER + rows(1, 1_001))
  const customers = Array.from({ length: 1_000 }, (_, index) => index + 1)
  const change = JSON.stringify({ change: { customerage: 40 }, customers })
  await service.send('POST', `${PATH}/bulk`, { form: change, headers: { 'content-type': 'application/json' } })
  t.match(await undo(service, operation, { query: '?dry_run=true' }), { reverted: 1, skipped: 1_000, hasMoreReasons: false })
  await service.send('POST', `${PATH}/1001/erase`)
  const { reasons, ...counts } = await undo(service, operation)
  t.equal(reasons.length, 1_000)
  t.match(counts, { reverted: 0, skipped: 1_001, hasMoreReasons: true })
})

t.test('undo of an undo does the changes again, and an undo of that undoes them', async t => {
  const service = await build(t)
  const { read, db } = service
  const first = await importFile(service, HEADER + rows(1, 3))
  const undone = await undo(service, first.operation)
  t.equal(await db.customer.count(), 0)
  const again = await undo(service, undone.operation)
  t.match(again, { customers: 3, reverted: 3, skipped: 0 })
  t.match(await read(2), { customername: 'name 2', customerage: 33 })
  t.match(await undo(service, first.operation), { reverted: 0, skipped: 3, reasons: [{ customerid: 1, reason: 'changed' }] })
  t.match(await undo(service, again.operation), { reverted: 3, skipped: 0 })
  t.equal(await db.customer.count(), 0)
  t.same(await kinds(service, 2), ['registered', 'removed', 'restored', 'removed'])
  t.same((await service.feed.read('oldest', 100) as { changes: object[] }).changes.length, 12, 'the feed tells each change')
})

t.test('undo names why it skips a customer', async t => {
  const service = await build(t)
  const { send, db } = service
  const { operation } = await importFile(service, HEADER + rows(1, 6))
  for (const id of [1, 2]) await send('DELETE', `${PATH}/${id}`)
  await service.register(1)
  await send('POST', `${PATH}/3/erase`)
  await db.customerChange.updateMany({ where: { customerId: 4 }, data: { before: null, after: null } })
  await db.customer.update({ where: { id: 5 }, data: { age: 99 } })
  const { reasons, ...counts } = await undo(service, operation)
  t.match(counts, { customers: 6, reverted: 1, skipped: 5 })
  t.match(reasons, [
    { customerid: 1, reason: 'registered again', sub: 'person-1' }, { customerid: 2, reason: 'removed' }, { customerid: 4, reason: 'not retained' },
    { customerid: 5, reason: 'changed' }, { reason: 'not retained', detail: '1 customer was erased, or the history does not go back so far.' }
  ])
  t.notOk('at' in reasons[3], 'a change by SQL was not recorded')
  t.same((await db.customer.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id), [1, 4, 5])
})

t.test('an operation that expired is unknown, and one whose changes expire meanwhile skips them', async t => {
  const service = await build(t, { HISTORY_DAYS: '1', FEED_DAYS: '0' })
  const { db, changes } = service
  const { operation } = await importFile(service, HEADER + rows(1, 4))
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await db.customerChange.updateMany({ where: { customerId: { lte: 2 } }, data: { at: yesterday } })
  await changes.removeExpired(new Date())
  t.match(await undo(service, operation), {
    customers: 4, reverted: 2, skipped: 2, reasons: [{ reason: 'not retained', detail: /^2 customers were erased/ }]
  })
  t.equal(await db.customer.count(), 2)
  await db.operation.updateMany({ data: { at: yesterday } })
  await changes.removeExpired(new Date())
  t.match(await undo(service, operation), { status: 404, type: '/problems/operation-unknown' })
})

t.test('undo requires customer:write and customer:delete, and an operation', async t => {
  const service = await build(t)
  const { operation } = await importFile(service, HEADER + rows(1, 1))
  for (const scope of ['customer:write', 'customer:delete customer:read']) {
    const token = await service.issuer.mint({ claims: { scope } })
    const { statusCode, headers } = await service.send('POST', `${PATH}/operations/${operation}/undo`, { token })
    t.equal(statusCode, 403)
    t.match(headers['www-authenticate'], /scope="customer:write customer:delete"/)
  }
  for (const id of ['x', 'x'.repeat(22), '%00']) t.match(await undo(service, id), { status: 404, type: '/problems/operation-unknown' }, id)
  t.match(await undo(service, operation, { query: '?dryrun=true' }), { status: 400, errors: [{ field: 'dryrun' }] })
  t.equal(await service.db.customer.count(), 1)
})
