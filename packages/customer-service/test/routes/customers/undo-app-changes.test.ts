import t, { type Test } from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows, undo } from '../../support/import-rows.js'
import { appWorld, timeBetween, undoApp } from '../../support/undo-app.js'

export const onBothDatabases = true

t.test('a customer that the app changed again and again is one, with the values from before the first change', async t => {
  const service = await build(t)
  const { app, admin } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 150))
  const since = await timeBetween(service)
  for (let round = 0; round < 3; round++) {
    for (let id = 1; id <= 150; id++) await app('PATCH', `/${id}`, { customerage: 50 + round })
  }
  await app('DELETE', '/1')
  await app('POST', '', { customerid: 1, customername: 'x', customerage: 1, customeraddress: 'y' })
  t.match(await undoApp(service, { since, token: admin, query: '&client_id=app' }), { customers: 150, reverted: 150 })
  t.equal(await service.db.customer.count({ where: { age: 33, address: 'street' } }), 150)
  t.equal(await service.db.customerChange.count({ where: { clientId: 'desk', sub: 'admin' } }), 150, 'each is reverted once')
})

t.test('an app that writes on is undone by the same request, and an earlier time by another one', async t => {
  const service = await build(t)
  const { app, admin } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 3))
  const first = await timeBetween(service)
  await app('PATCH', '/1', { customerage: 91 })
  await app('PATCH', '/2', { customerage: 92 })
  const second = await timeBetween(service)
  await app('PATCH', '/2', { customerage: 93 })
  await app('PATCH', '/3', { customerage: 94 })
  const run = async (since: string) => await undoApp(service, { since, token: admin, query: '&client_id=app' })
  const ages = async () => (await service.db.customer.findMany({ orderBy: { id: 'asc' } })).map(({ age }) => age)
  const report = await run(second)
  t.match(report, { customers: 2, reverted: 2 })
  t.same(await ages(), [91, 92, 33])
  await app('PATCH', '/3', { customerage: 95 })
  t.match(await run(second), { operation: report.operation, customers: 2, reverted: 2 })
  t.same(await ages(), [91, 92, 33])
  t.match(await run(first), { customers: 3, reverted: 3 })
  t.same(await ages(), [33, 33, 33])
  await app('PATCH', '/2', { customerage: 96 })
  t.match(await run(second), { customers: 2, reverted: 2 }, 'what the undo of an earlier time did is not undone')
  t.same(await ages(), [33, 33, 33])
})

t.test('an undo that was repeated is undone: each customer is as before its last change by the undo', async t => {
  const service = await build(t)
  const { app, admin, tokens } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 1))
  const since = await timeBetween(service)
  const run = async () => await undoApp(service, { since, token: admin, query: '&client_id=app' })
  for (const age of [50, 60]) {
    t.match(await importFile(service, HEADER + rows(8_901, 8_901), { token: tokens.app }), { registered: 1 })
    await app('PATCH', '/1', { customerage: age })
    t.match(await run(), { customers: 2, reverted: 2 })
  }
  const { operation } = await run()
  const { items } = (await service.send('GET', `${PATH}/operations`)).json()
  t.match(items.find((it: { operation: string }) => it.operation === operation), { customers: 2 })
  for (const query of ['?dry_run=true', '']) t.match(await undo(service, operation, { query }), { customers: 2, reverted: 2, skipped: 0 })
  t.match([await service.read(1), await service.read(8_901)], [{ customerage: 60 }, { customerage: 33 }])
})

t.test('a colleague\'s later import prevents the undo, even if it was undone', async t => {
  const service = await build(t)
  const { app, tokens: { app: token, colleague } } = await appWorld(service)
  const since = await timeBetween(service)
  for (const customerid of [1, 2]) await app('POST', '', { customerid, customername: 'x', customerage: 1, customeraddress: 'y' })
  const { operation } = await importFile(service, HEADER + rows(1, 2), { query: '?mode=upsert', token: colleague })
  t.match(await undoApp(service, { since, token }), { reverted: 0, skipped: 2, reasons: [{ reason: 'changed', sub: 'colleague' }, {}] })
  t.match(await undo(service, operation, { token: colleague }), { reverted: 2 })
  t.match(await undoApp(service, { since, token }), { reverted: 0, skipped: 2 })
})

t.test('finds the changes among many others, and if their times are not in order', async t => {
  const service = await build(t)
  const { app, admin } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 1_500))
  await app('PATCH', '/1500', { customerage: 90 })
  const since = await timeBetween(service)
  for (const id of [3, 1_400]) await app('PATCH', `/${id}`, { customerage: 99 })
  await importFile(service, HEADER + rows(2_001, 3_500))
  for (const id of [4, 5]) await app('PATCH', `/${id}`, { customerage: 99 })
  await importFile(service, HEADER + rows(4_001, 5_500))
  // A transaction that waited recorded an earlier time than those before it, and erased customers leave gaps.
  const moved = await service.db.customerChange.findFirstOrThrow({ where: { customerId: 4, clientId: 'app' } })
  await service.db.customerChange.updateMany({ where: { seq: { gt: moved.seq } }, data: { at: new Date(Date.parse(since) - 50_000) } })
  await service.db.customerChange.deleteMany({ where: { customerId: { gte: 4_100, lt: 5_400 } } })
  const report = await undoApp(service, { since, token: admin, query: '&client_id=app' })
  t.match(report, { customers: 3, reverted: 3, skipped: 0 })
  const ages = async (...ids: number[]) => await Promise.all(ids.map(async id => (await service.read(id)).customerage))
  t.same(await ages(3, 1_400, 4, 5, 1_500), [33, 33, 33, 99, 90])
})

t.test('customers that the app merged are all restored, or none of them', async t => {
  const service = await build(t)
  const { app, admin, colleague } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 400))
  const since = await timeBetween(service)
  // Far apart, so that they are in different batches.
  for (const [into, from] of [[1, 2], [3, 301], [302, 3], [4, 303]] as const) await app('POST', `/${into}/merge`, { from })
  for (let id = 100; id < 200; id++) await app('PATCH', `/${id}`, { customerage: 99 })
  for (const id of [1, 302]) await app('PATCH', `/${id}`, { customeraddress: 'merged' })
  await colleague('PATCH', '/302', { customeraddress: 'kept' })
  await service.db.customer.update({ where: { id: 4 }, data: { address: 'by sql' } })
  const report = await undoApp(service, { since, token: admin, query: '&client_id=app' })
  await assertMerges(t, report)
  await assertMerges(t, await undoApp(service, { since, token: admin, query: '&client_id=app' }))

  async function assertMerges (t: Test, { reasons, ...counts }: Record<string, unknown>) {
    t.match(counts, { customers: 107, reverted: 102, skipped: 5 })
    t.match(reasons, [301, 3, 302, 303, 4].map(customerid => ({ customerid, reason: 'changed' })))
    t.match([await service.read(1), await service.read(2)], [{ customeraddress: 'street' }, { customeraddress: 'street' }])
    t.match([await service.read(302), await service.read(3), await service.read(301)], [{ customeraddress: 'kept' }, 410, 410])
    t.match([await service.read(4), await service.read(303)], [{ customeraddress: 'by sql' }, 410])
  }
})
