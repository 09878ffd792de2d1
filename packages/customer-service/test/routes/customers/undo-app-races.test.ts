import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { PATH } from '../../support/helper.js'
import { HEADER, importFile, rows } from '../../support/import-rows.js'
import { buildTwo } from '../../support/two-replicas.js'
import { appWorld, timeBetween, undoApp } from '../../support/undo-app.js'
import { assertWhole } from '../../support/whole-changes.js'

export const onBothDatabases = true

const [LANES, ROUNDS, CALLS] = [16, 25, 4]

t.test('two undos of an app that writes on: no colleague loses a change, and once it stops, the next call undoes the rest', async t => {
  const [one, two] = await buildTwo(t)
  const { tokens, admin } = await appWorld(one)
  const outcomes = { kept: 0, reverted: 0, late: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: LANES }, (_, lane) => round * LANES + lane + 1)
    await importFile(one, HEADER + rows(ids[0]!, ids.at(-1)!))
    const since = await timeBetween(one)
    const write = async (id: number, lane: number) => {
      const { send } = lane % 2 === 0 ? one : two
      for (let call = 0; call < CALLS; call++) {
        if (lane % 3 === 2 && call === 1) await send('DELETE', `${PATH}/${id}`, { token: tokens.app })
        else await send('PATCH', `${PATH}/${id}`, { form: { customerage: 100 + call }, token: tokens.app })
      }
      const keep = async () => await send('PATCH', `${PATH}/${id}`, { form: { customeraddress: 'kept' }, token: tokens.colleague })
      return { id, kept: lane % 4 === 3 ? (await keep()).statusCode : null }
    }
    const run = async (service: typeof two) => await undoApp(service, { since, token: admin, query: '&client_id=app' })
    const runLater = async (service: typeof two) => {
      await setTimeout(round)
      return await run(service)
    }
    const [written, ...early] = await Promise.all([Promise.all(ids.map(write)), runLater(one), runLater(two)])
    const report = await run(two)
    for (const { operation, customers, reverted, skipped } of [...early, report]) {
      t.equal(operation, report.operation)
      t.equal(reverted + skipped, customers)
    }
    t.equal(report.customers, LANES)
    if (early.some(({ customers }) => customers < LANES)) outcomes.late++
    for (const { id, kept } of written) {
      const reason = report.reasons.find(({ customerid }: { customerid: number }) => customerid === id)
      outcomes[reason === undefined ? 'reverted' : 'kept']++
      // The colleague's change can be before the last one of the app: then it is kept, too.
      t.equal(reason !== undefined, kept === 204, `${id}: ${kept}`)
      if (kept === 204) t.match([reason, await one.read(id)], [{ reason: 'changed', sub: 'colleague' }, { customeraddress: 'kept' }])
      else t.match(await one.read(id), { customerage: 33, customeraddress: 'street' })
    }
    t.same(await run(one), report, 'then nothing changes any more')
  }
  t.ok(outcomes.kept > 0 && outcomes.reverted > 0 && outcomes.late > 0, JSON.stringify(outcomes))
  await assertWhole(t, one)
})

t.test('an undo while the app merges: customers that it merged are all restored, or none of them', async t => {
  const [one, two] = await buildTwo(t)
  const { tokens, admin } = await appWorld(one)
  const outcomes = { restored: 0, kept: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: LANES }, (_, lane) => round * LANES + lane + 1)
    await importFile(one, HEADER + rows(ids[0]!, ids.at(-1)!))
    const since = await timeBetween(one)
    const headers = { 'content-type': 'application/json' }
    const merge = async (into: number, from: number) =>
      await two.send('POST', `${PATH}/${into}/merge`, { form: JSON.stringify({ from }), headers, token: tokens.app })
    const pairs = ids.flatMap((id, lane) => lane % 2 === 0 ? [[id, id + 1] as const] : [])
    const write = async ([into, from]: readonly [number, number], pair: number) => {
      await one.send('PATCH', `${PATH}/${from}`, { form: { customerage: 70 }, token: tokens.app })
      await setTimeout(pair)
      await merge(into, from)
      if (pair % 2 === 0) await two.send('PATCH', `${PATH}/${into}`, { form: { customeraddress: 'kept' }, token: tokens.colleague })
      if (pair % 4 === 1) await merge(into, pairs[pair - 1]![0])
    }
    const run = async () => await undoApp(one, { since, token: admin, query: '&client_id=app' })
    await Promise.all([...pairs.map(write), (async () => { await setTimeout(round % 12); await run() })()])
    const { reasons } = await run()
    for (const [into, from] of pairs) {
      const skipped = [into, from].map(id => reasons.some(({ customerid }: { customerid: number }) => customerid === id))
      const found = await Promise.all([one.read(into), one.read(from)])
      outcomes[skipped[1] ? 'kept' : 'restored']++
      if (skipped[1]) t.equal(found[1], 410, `${from} of ${into}`)
      else t.match(found[1], { customerage: 33, customeraddress: 'street' })
    }
  }
  t.ok(outcomes.restored > 0 && outcomes.kept > 0, JSON.stringify(outcomes))
  await assertWhole(t, one)
})
