import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { PATH, type build } from '../../support/helper.js'
import { HEADER, importFile, rows, undo } from '../../support/import-rows.js'
import { buildTwo } from '../../support/two-replicas.js'
import { assertWhole } from '../../support/whole-changes.js'

export const onBothDatabases = true

const [LANES, ROUNDS] = [16, 25]

type Service = Awaited<ReturnType<typeof build>>

/** Waits until the newest operation is the wanted one. */
async function findNewest ({ send }: Pick<Service, 'send'>, isWanted: (operation: Record<string, unknown>) => boolean): Promise<string> {
  for (;; await setTimeout(1)) {
    const [newest] = (await send('GET', `${PATH}/operations?limit=1`)).json().items
    if (newest !== undefined && isWanted(newest)) return newest.operation
  }
}

t.test('two undos at once never overwrite what colleagues change at the same time, and report the same', async t => {
  const [one, two] = await buildTwo(t)
  const outcomes = { kept: 0, reverted: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: LANES }, (_, lane) => round * LANES + lane + 1)
    const { operation } = await importFile(one, HEADER + rows(ids[0]!, ids.at(-1)!))
    const change = async (id: number, lane: number) => {
      // Some before, some after the undo.
      await setTimeout(lane < LANES / 2 ? 0 : lane * 8)
      const service = lane % 2 === 0 ? one : two
      const path = `${PATH}/${id}`
      const { statusCode } = lane % 5 === 4 ? await service.send('DELETE', path) : await service.send('PATCH', path, { form: { customerage: 100 + lane } })
      return { id, lane, statusCode }
    }
    const undoLater = async (service: Pick<Service, 'send'>) => {
      await setTimeout(round % 5)
      return await undo(service, operation)
    }
    const [changes, ...reports] = await Promise.all([Promise.all(ids.map(change)), undoLater(one), undoLater(two)])
    for (const report of [...reports, await undo(one, operation)]) {
      t.match(report, { operation: reports[0].operation, customers: LANES })
      t.equal(report.reverted + report.skipped, LANES)
    }
    const { reasons } = await undo(one, operation)
    const skipped = new Set(reasons.map(({ customerid }: { customerid: number }) => customerid))
    for (const { id, lane, statusCode } of changes) {
      outcomes[statusCode === 204 ? 'kept' : 'reverted']++
      t.ok([204, 404].includes(statusCode), `${statusCode}`)
      t.equal(skipped.has(id), statusCode === 204, 'each is either reverted or skipped')
      if (statusCode === 204 && lane % 5 !== 4) t.equal((await one.read(id)).customerage, 100 + lane)
      else t.equal(await one.read(id), 404)
    }
  }
  t.ok(outcomes.kept > 0 && outcomes.reverted > 0, JSON.stringify(outcomes))
  await assertWhole(t, one)
})

t.test('an undo of an import that runs stops it, and nothing of it is left', async t => {
  const [one, two] = await buildTwo(t)
  let stopped = 0
  for (let round = 0; round < 8; round++) {
    const importing = importFile(one, HEADER + rows(1, 1_500), { key: `k${round}` })
    const operation = await findNewest(two, ({ kind, undone }) => kind === 'import' && undone === undefined)
    const [report, undone] = await Promise.all([importing, undo(two, operation)])
    t.match(undone, { skipped: 0, reverted: undone.customers })
    t.equal(await one.db.customer.count(), 0)
    if (report.status === 409) stopped++
    else t.match(report, { registered: 1_500 })
    const repeated = await importFile(one, HEADER + rows(1, 1_500), { key: `k${round}` })
    t.match(repeated, report.status === 409 ? { status: 409, type: '/problems/operation-undone' } : { registered: 1_500 })
    t.equal(await one.db.customer.count(), 0, 'its key does not start it again')
  }
  t.ok(stopped > 0, `${stopped} imports stopped`)
  await assertWhole(t, one)
})

t.test('an undo and the undo of that undo at once: each customer is whole, and a second call finishes both', async t => {
  const [one, two] = await buildTwo(t)
  for (let round = 0; round < ROUNDS; round++) {
    const { operation } = await importFile(one, HEADER + rows(round * 200 + 1, round * 200 + 200))
    const first = undo(one, operation)
    const id = await findNewest(two, ({ undoes }) => undoes === operation)
    const [undone, again] = await Promise.all([first, undo(two, id)])
    t.ok(undone.status === 409 || undone.customers === 200, JSON.stringify(undone).slice(0, 200))
    t.match(again, { skipped: 0, reverted: again.customers })
    t.equal(await one.db.customer.count(), (round + 1) * 200, 'every customer is back')
  }
  await assertWhole(t, one)
})

t.test('undos of two operations on the same customers at once: nothing that colleagues change is lost, and the rest is as before both', async t => {
  const [one, two] = await buildTwo(t)
  const seen = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: LANES }, (_, lane) => round * LANES + lane + 1)
    await importFile(one, HEADER + rows(ids[0]!, ids.at(-1)!))
    const change = async (customerage: number): Promise<string> => {
      const form = JSON.stringify({ change: { customerage }, customers: ids })
      return (await one.send('POST', `${PATH}/bulk`, { form, headers: { 'content-type': 'application/json' } })).json().operation
    }
    const [first, second] = [await change(40), await change(50)]
    const changed = ids.filter((_, lane) => lane % 2 === 0)
    const write = async (id: number) => {
      const lane = changed.indexOf(id)
      await setTimeout(lane * 4)
      const form = { customeraddress: `moved ${lane}` }
      t.equal((await two.send('PATCH', `${PATH}/${id}`, { form })).statusCode, 204)
    }
    await write(changed[0]!)
    const undoBoth = async () => { for (const operation of [second, first]) await undo(one, operation) }
    await Promise.all([undoBoth(), undo(two, first), undo(two, second), ...changed.slice(1, -1).map(write)])
    await write(changed.at(-1)!)
    const { reasons } = await undo(two, first)
    const skipped = reasons.map(({ customerid }: { customerid: number }) => customerid)
    for (const id of ids) {
      const { customerage, customeraddress } = await one.read(id)
      const isChanged = changed.includes(id)
      t.equal(customeraddress, isChanged ? `moved ${changed.indexOf(id)}` : 'street')
      t.ok(isChanged ? [33, 40, 50].includes(customerage) : customerage === 33, `${customerage}`)
      t.equal(skipped.includes(id), isChanged)
      if (isChanged) seen.add(customerage)
    }
  }
  t.ok(seen.has(50) && seen.has(33), [...seen].join(', '))
  await assertWhole(t, one)
})
