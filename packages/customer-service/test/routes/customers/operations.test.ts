import t from 'tap'
import { newOperationId, operationId } from '../../../src/stores/operations/advance.js'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows } from '../../support/import-rows.js'

export const onBothDatabases = true

t.test('the id of an operation has no hyphen, so that it is no option of a command', async t => {
  for (let count = 0; count < 1_000; count++) t.match(newOperationId(), /^\w{22}$/)
  t.match(operationId(Buffer.alloc(32, 0xfb)), /^\w{22}$/)
})

type Service = Awaited<ReturnType<typeof build>>

const list = async ({ send }: Service, query = '') => (await send('GET', `${PATH}/operations${query}`)).json()

t.test('an import is one operation of the list and of each customer\'s history', async t => {
  const service = await build(t)
  await service.register(5)
  const { operation, registered } = await importFile(service, HEADER + rows(1, 300))
  t.match(operation, /^[\w-]{22}$/)
  t.same(registered, 299)
  t.same((await list(service)).items, [{
    operation, kind: 'import', at: (await list(service)).items[0].at, sub: 'person-1', client_id: 'desk', customers: 299
  }])
  const history = async (id: number) => (await service.send('GET', `${PATH}/${id}/history`)).json().items
  t.match(await history(7), [{ kind: 'registered', operation }])
  t.notOk('operation' in (await history(5))[0], 'a single change has none')

  const together = await importFile(service, HEADER + rows(301, 310), { query: '?all_or_nothing=true' })
  t.not(together.operation, operation)
  t.match((await list(service)).items, [{ operation: together.operation, customers: 10 }, { operation }], 'newest first')
})

t.test('what changes nothing is no operation: a dry run, and a file whose numbers are in use', async t => {
  const service = await build(t)
  await service.register(1)
  for (const query of ['', '?dry_run=true', '?all_or_nothing=true']) {
    t.equal((await importFile(service, HEADER + rows(1, query === '' ? 1 : 9), { query })).operation, undefined, query)
  }
  t.same(await list(service), { items: [] })
})

t.test('an import that continues is the same operation, and a replay reports it', async t => {
  const service = await build(t)
  const first = await importFile(service, HEADER + rows(1, 300), { key: 'k' })
  t.equal((await importFile(service, HEADER + rows(1, 300), { key: 'k' })).operation, first.operation)
  await service.db.importProgress.updateMany({ data: { finishedAt: null } })
  t.match(await importFile(service, HEADER + rows(1, 300), { key: 'k' }), { operation: first.operation, registered: 300 })
  t.match((await list(service)).items, [{ operation: first.operation, customers: 300 }])
})

t.test('an import that was undone while it ran registers nothing more', async t => {
  const service = await build(t)
  const { hash } = await start(service)
  t.match(await importFile(service, HEADER + rows(1, 300), { key: 'k' }), {
    status: 409, type: '/problems/operation-undone', detail: 'This import was undone. Nothing more is registered.', report: { registered: 128 }
  })
  t.equal(await service.db.customer.count(), 128)
  t.equal((await service.db.importProgress.findUnique({ where: { hash } }))?.done, 128)

  /** Imports the first chunk, and marks the operation as undone. */
  async function start ({ db }: Service) {
    await importFile(service, HEADER + rows(1, 128), { key: 'k' })
    await db.importProgress.updateMany({ data: { finishedAt: null } })
    await db.operation.updateMany({ data: { undone: 'another' } })
    return (await db.importProgress.findFirst())!
  }
})

t.test('the list has pages, and requires customer:read', async t => {
  const service = await build(t)
  const { db, issuer } = service
  const at = new Date(1_700_000_000_000)
  const ids = Array.from({ length: 5 }, (_, index) => `${index}`.repeat(22))
  // The first three began at the same time.
  await db.operation.createMany({
    data: ids.map((id, index) => ({
      id, kind: 'import', at: index < 3 ? at : new Date(at.getTime() + index), customers: index, isWhole: false
    }))
  })
  const found: string[] = []
  for (let query = '?limit=2'; query !== '';) {
    const { items, next } = await list(service, query)
    found.push(...items.map(({ operation }: { operation: string }) => operation))
    query = next === undefined ? '' : `?limit=2&cursor=${next}`
  }
  t.same(found, ids.toReversed())
  t.match(await list(service, '?cursor=x&limit=0'), { status: 400, errors: [{ field: 'cursor' }, { field: 'limit' }] })
  const token = await issuer.mint({ claims: { scope: 'customer:write' } })
  t.equal((await service.send('GET', `${PATH}/operations`, { token })).statusCode, 403)
})

t.test('operations are kept as long as the history, and not without one', async t => {
  const service = await build(t, { HISTORY_DAYS: '1', FEED_DAYS: '3' })
  await importFile(service, HEADER + rows(1, 3))
  const day = 86_400_000
  await service.changes.removeExpired(new Date(Date.now() + day - 60_000))
  t.equal(await service.db.operation.count(), 1)
  await service.changes.removeExpired(new Date(Date.now() + day + 60_000))
  t.equal(await service.db.operation.count(), 0)
  t.equal(await service.db.customerChange.count(), 3, 'the feed keeps the changes')

  const without = await build(t, { HISTORY_DAYS: '0' })
  t.notOk('operation' in await importFile(without, HEADER + rows(1, 3)))
  t.same(await list(without), { items: [] })
})
