import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { build, PATH } from '../support/helper.js'
import { HEADER, importFile, rows } from '../support/import-rows.js'
import { start } from '../support/process/server-process.js'
import { appWorld, timeBetween } from '../support/undo-app.js'

export const onBothDatabases = true

const ROUNDS = 6
const CUSTOMERS = 1_000

t.test('kill -9 of two replicas during an undo of an app: the next call finishes it, and no customer is changed twice', async t => {
  const service = await build(t)
  const { db, config: { databaseUrl }, issuer: { url: issuer, audience } } = service
  const { tokens, admin } = await appWorld(service)
  const env = { AUTH: 'required', DATABASE_URL: databaseUrl, ISSUER: issuer, JWKS_URL: issuer, AUDIENCE: audience, REVOCATIONS_URL: 'none' }
  let interrupted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const [from, to] = [round * CUSTOMERS + 1, (round + 1) * CUSTOMERS]
    await importFile(service, HEADER + rows(from, to))
    const since = await timeBetween(service)
    const customers = Array.from({ length: CUSTOMERS }, (_, index) => from + index)
    await service.send('POST', `${PATH}/bulk`, {
      form: JSON.stringify({ change: { customerage: 99 }, customers }), headers: { 'content-type': 'application/json' }, token: tokens.app
    })
    const run = async (url: string) => {
      const init = { method: 'POST', headers: { authorization: `Bearer ${admin}` } }
      const answer = await fetch(`${url}${PATH}/undo?client_id=app&since=${since}`, init).catch(() => null)
      // as: a report.
      return await answer?.json().catch(() => null) as Record<string, unknown> | undefined
    }
    /** Sends it again while the machine is busy with something else. */
    const runAdmitted = async (url: string): Promise<Record<string, unknown> | undefined> => {
      const report = await run(url)
      return report?.status === 503 ? await runAdmitted(url) : report
    }
    const count = async () => await db.customer.count({ where: { age: 99 } })
    const replicas = await Promise.all([start(t, env), start(t, env)])
    const reports = replicas.map(({ url }) => run(url))
    while (await count() === CUSTOMERS) await setTimeout(1)
    for (const { child } of replicas) {
      await setTimeout(Math.random() * 30)
      child.kill('SIGKILL')
    }
    await Promise.all(replicas.map(({ exit }) => exit))
    if ((await Promise.all(reports)).every(report => report?.reverted === undefined)) interrupted++

    const next = await start(t, env)
    const report = await runAdmitted(next.url)
    t.match(report, { customers: CUSTOMERS, reverted: CUSTOMERS, skipped: 0 })
    t.same(await runAdmitted(next.url), report)
    t.equal(await count(), 0)
    // as: a report has it.
    const operationId = report?.operation as string
    t.equal(await db.customerChange.count({ where: { operationId } }), CUSTOMERS)
    t.match(await db.operation.findUnique({ where: { id: operationId } }), { kind: 'undo', customers: CUSTOMERS })
    next.child.kill('SIGKILL')
    await next.exit
  }
  t.ok(interrupted > 0, `${interrupted} undos were interrupted`)
  t.equal(await db.customer.count({ where: { age: 33, address: 'street' } }), ROUNDS * CUSTOMERS)
})
