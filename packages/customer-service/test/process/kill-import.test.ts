import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { build, PATH } from '../support/helper.js'
import { HEADER, rows } from '../support/import-rows.js'
import { start } from '../support/process/server-process.js'

export const onBothDatabases = true

const ROUNDS = 4
const CUSTOMERS = 3_000

t.test('kill -9 during an upsert: the same request finishes it, each customer is changed once, and an undo restores all', async t => {
  const { config: { databaseUrl }, db } = await build(t)
  const post = async (url: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${PATH}${path}`, { method: 'POST', ...init }).catch(() => null)
    // as: a report.
    return await answer?.json().catch(() => null) as Record<string, unknown> | undefined
  }
  let interrupted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const first = await start(t, { DATABASE_URL: databaseUrl })
    await post(first.url, '/import', { headers: { 'content-type': 'text/csv' }, body: HEADER + rows(1, CUSTOMERS / 2) })
    const changes = async () => await db.customerChange.count({ where: { operationId: { not: null } } })
    const before = await changes()
    const body = HEADER + rows(1, CUSTOMERS).replaceAll(',33,', `,${round},`)
    const upsert = async (url: string) =>
      await post(url, '/import?mode=upsert', { headers: { 'content-type': 'text/csv', 'idempotency-key': `${round}` }, body })
    const report = upsert(first.url)
    while (await changes() === before) await setTimeout(1)
    await setTimeout(Math.random() * 50)
    first.child.kill('SIGKILL')
    await first.exit
    if ((await report)?.updated === undefined) interrupted++

    const second = await start(t, { DATABASE_URL: databaseUrl })
    const { operation, ...counts } = (await upsert(second.url))!
    t.match(counts, { lines: CUSTOMERS, registered: CUSTOMERS / 2, updated: CUSTOMERS / 2, unchanged: 0, failed: 0 })
    t.equal(await db.customer.count({ where: { age: round } }), CUSTOMERS)
    t.equal(await changes() - before, CUSTOMERS)
    t.match(await post(second.url, `/operations/${String(operation)}/undo`), { customers: CUSTOMERS, reverted: CUSTOMERS, skipped: 0 })
    t.same([await db.customer.count(), await db.customer.count({ where: { age: 33 } })], [CUSTOMERS / 2, CUSTOMERS / 2])
    second.child.kill('SIGKILL')
    await second.exit
  }
  t.ok(interrupted > 0, `${interrupted} imports were interrupted`)
})
