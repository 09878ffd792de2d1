import t from 'tap'
import { databasesOn, install } from './support/faults/installation.js'
import { kills } from './support/faults/kills.js'
import { RECOVERY, runWorkload } from './support/faults/workload.js'
import { Ledger } from './support/replicas/ledger.js'
import { startPostgres } from './support/stack.js'

export const needsPostgresql = true

await t.test(
  'kill -9 under write load, 20 times, on PostgreSQL: all that either service acknowledged is there, and each starts again by itself',
  async t => {
    const server = await startPostgres()
    t.teardown(() => server.stop())
    const databases = await databasesOn(server.url)
    const stack = await install(t, databases)
    const { lost, wrong, recovery, acknowledged } = await runWorkload(stack, databases, new Ledger(), kills(stack, 20, 'PostgreSQL'))
    t.same(lost, [])
    t.same(wrong, [])
    t.ok(recovery < RECOVERY, `well again after ${recovery} ms`)
    t.ok(acknowledged > 100, `${acknowledged} acknowledged`)
    t.same(await stack.stop(), [0, 0])
  }
)
