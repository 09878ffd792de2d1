import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { build, PATH } from '../support/helper.js'
import { HEADER, rows } from '../support/import-rows.js'
import { start } from '../support/process/server-process.js'

export const onBothDatabases = true

const ROUNDS = 6
const CUSTOMERS = 1_000

t.test('kill -9 during an undo: the next call finishes it, and no customer is changed twice', async t => {
  const { config: { databaseUrl }, db, changes: { removeExpired } } = await build(t)
  let interrupted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const first = await start(t, { DATABASE_URL: databaseUrl })
    const post = async (url: string, path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${url}${PATH}${path}`, { method: 'POST', ...init }).catch(() => null)
      // as: a report.
      return await answer?.json().catch(() => null) as Record<string, unknown> | undefined
    }
    const body = HEADER + rows(1, CUSTOMERS)
    const { operation } = (await post(first.url, '/import', { headers: { 'content-type': 'text/csv' }, body }))!
    const undone = post(first.url, `/operations/${operation}/undo`)
    const count = async () => await db.customer.count()
    while (await count() === CUSTOMERS) await setTimeout(1)
    await setTimeout(Math.random() * 30)
    first.child.kill('SIGKILL')
    await first.exit
    if ((await undone)?.reverted === undefined) interrupted++

    const second = await start(t, { DATABASE_URL: databaseUrl })
    t.match(await post(second.url, `/operations/${operation}/undo`), { customers: CUSTOMERS, reverted: CUSTOMERS, skipped: 0 })
    t.equal(await count(), 0)
    const kinds = await db.customerChange.groupBy({ by: ['kind', 'operationId'], _count: true, orderBy: { kind: 'desc' } })
    t.same(kinds.map(({ kind, _count: number }) => [kind, number]), [['removed', CUSTOMERS], ['registered', CUSTOMERS]])
    second.child.kill('SIGKILL')
    await second.exit
    await db.customerChange.deleteMany()
    await removeExpired(new Date())
  }
  t.ok(interrupted > 0, `${interrupted} undos were interrupted`)
})
