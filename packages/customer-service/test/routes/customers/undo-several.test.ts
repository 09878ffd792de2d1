import t, { type Test } from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows, undo } from '../../support/import-rows.js'
import { timeBetween, undoApp } from '../../support/undo-app.js'
import { assertWhole } from '../../support/whole-changes.js'

export const onBothDatabases = true

/** A service, and what makes operations and undoes them. */
async function start (t: Test) {
  const service = await build(t)
  const { send } = service
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    return (await send('POST', `${PATH}/${path}`, { form: JSON.stringify(body), headers })).json().operation
  }
  return {
    ...service,
    service,
    importRows: async (text: string): Promise<string> => (await importFile(service, HEADER + text)).operation,
    merge: async (into: number, from: number) => await post(`${into}/merge`, { from }),
    remove: async (...ids: number[]) => await post('bulk', { remove: ids }),
    change: async (customerage: number, ...customers: number[]) => await post('bulk', { change: { customerage }, customers }),
    ages: async (...ids: number[]) => await Promise.all(ids.map(async id => (await service.read(id)).customerage ?? null)),
    /** Undoes operations, each wholly, and returns the undos. */
    undoAll: async (...operations: string[]) => {
      const undos: string[] = []
      for (const operation of operations) {
        const { operation: id, ...report } = await undo(service, operation)
        t.match(report, { skipped: 0 })
        undos.push(id)
      }
      return undos
    }
  }
}

t.test('operations on the same customers are undone newest first, and done again; what a colleague changed in between stays', async t => {
  const { service, send, importRows, change, ages, db } = await start(t)
  const imported = await importRows(rows(1, 3))
  const [first, second] = [await change(40, 1, 2, 3), await change(50, 1, 2, 3)]
  t.match(await undo(service, first), { reverted: 0, skipped: 3 }, 'the second one still holds')
  await send('PATCH', `${PATH}/3`, { form: { customerage: 60 } })
  const secondUndone = await undo(service, second)
  t.match(secondUndone, { reverted: 2, reasons: [{ customerid: 3, reason: 'changed' }] })
  const firstUndone = await undo(service, first)
  t.match(firstUndone, { reverted: 2, reasons: [{ customerid: 3, reason: 'changed' }] })
  t.same(await ages(1, 2, 3), [33, 33, 60])
  await send('PATCH', `${PATH}/3`, { form: { customerage: 40 } })
  t.match(await undo(service, first), { reverted: 2, skipped: 1 }, 'a colleague chose the same value')
  t.match(await undo(service, secondUndone.operation), { reverted: 0, skipped: 2 }, 'the first one is done again before')
  t.match(await undo(service, firstUndone.operation), { reverted: 2, skipped: 0 })
  t.match(await undo(service, secondUndone.operation), { reverted: 2, skipped: 0 })
  t.same(await ages(1, 2, 3), [50, 50, 40])
  t.match(await undo(service, imported), { reverted: 0, skipped: 3 })
  t.equal(await db.customer.count(), 3)
  await assertWhole(t, service)
})

t.test('a customer whose later removal and merges were undone is reverted', async t => {
  const { service, importRows, remove, merge, undoAll, db } = await start(t)
  const imported = await importRows(rows(1, 3))
  for (const later of [() => remove(1, 2), () => merge(2, 1), () => merge(1, 3)]) await undoAll(await later())
  await undoAll(imported)
  t.equal(await db.customer.count(), 0)
  await assertWhole(t, service)
})

t.test('a later operation that was undone and done again holds, whatever it left', async t => {
  const { service, importRows, merge, change, undoAll, ages } = await start(t)
  await service.register(1)
  const imported = await importRows(rows(2, 2))
  const merged = await merge(2, 1)
  await undoAll(...await undoAll(merged))
  t.match(await undo(service, imported), { reverted: 0, reasons: [{ customerid: 2, reason: 'changed' }] }, 'the other one of a merge')

  const first = await change(40, 2)
  for (const age of [50, 40]) await undoAll(...await undoAll(await change(age, 2)))
  t.match(await undo(service, first), { reverted: 0, reasons: [{ customerid: 2, reason: 'changed' }] }, 'the same values')
  t.same(await ages(2), [40])
  await assertWhole(t, service)
})

t.test('a number that another person had since is not restored, although their removal was done again', async t => {
  const { service, remove, importRows, merge, undoAll } = await start(t)
  for (const id of [1, 2]) await service.register(id)
  const removed = await remove(1)
  const other = await importRows('1,Someone Else,20,street\n')
  const merged = await merge(2, 1)
  const [mergeUndone] = await undoAll(merged)
  const [otherUndone] = await undoAll(other)
  await undoAll(otherUndone!, mergeUndone!)
  t.match(await undo(service, removed), { reverted: 0, reasons: [{ customerid: 1, reason: 'merged' }] })
  t.equal(await service.read(1), 410)
  await assertWhole(t, service)
})

t.test('an undo of what happened before an operation prevents the undo of the operation', async t => {
  const { service, change, importRows, ages } = await start(t)
  await importRows(rows(1, 1))
  const before = await timeBetween(service)
  await change(40, 1)
  const between = await timeBetween(service)
  const operation = await change(33, 1)
  for (const since of [between, before]) t.match(await undoApp(service, { since }), { reverted: 1 })
  t.match(await undo(service, operation), { reverted: 0, reasons: [{ customerid: 1, reason: 'changed' }] })
  t.same(await ages(1), [33])
})

t.test('eight later operations that were undone do not matter; more do, because looking at pairs of them takes long', async t => {
  for (const [later, reverted] of [[8, 1], [9, 0]] as const) {
    const { service, change, importRows, undoAll, ages } = await start(t)
    const imported = await importRows(rows(1, 1))
    const operations: string[] = []
    for (let age = 1; age <= later; age++) operations.unshift(await change(age, 1))
    await undoAll(...operations)
    t.same(await ages(1), [33])
    t.match(await undo(service, imported), { reverted, skipped: 1 - reverted })
  }
})
