import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import t from 'tap'
import { MAX_DEAD_LETTERS } from '../../../src/stores/webhooks/webhooks.js'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

const at = (position: number) => ({ position, mark: 'aaaaaaaaaaaa' })

const webhook = { id: 'wh_1', url: 'https://example.com/', secret: 'whsec_', ...at(0) }

t.test('one of many concurrent processes delivers, and the others follow when it has released', async t => {
  const { webhooks } = await build(t)
  const holders = Array.from({ length: 8 }, (_, index) => `process ${index}`)
  const take = async () => (await Promise.all(holders.map(async holder => await webhooks.lease('wh_1', holder) ? holder : null))).filter(it => it !== null)
  const [first, ...others] = await take()
  t.same(others, [])
  t.same(await take(), [first], 'it renews its lease')
  await webhooks.release('wh_1', 'process of another')
  t.same(await take(), [first])
  await webhooks.release('wh_1', first!)
  t.equal((await take()).length, 1)
})

t.test('of concurrent moves from one position, one counts', async t => {
  const { webhooks } = await build(t)
  t.ok(await webhooks.add(webhook))
  const moved = await Promise.all(Array.from({ length: 8 }, async (_, index) => await webhooks.advance(webhook, at(index + 1))))
  t.equal(moved.filter(Boolean).length, 1)
  const { position } = (await webhooks.find('wh_1'))!
  t.equal(position, moved.indexOf(true) + 1)
  t.notOk(await webhooks.giveUp(webhook, at(9), 'late'))
  await webhooks.delay(webhook, 'late', 60)
  t.notOk(await webhooks.disable(webhook, 'late'))
  t.match(await webhooks.find('wh_1'), { position, failures: 0, failure: null, disabledReason: null })
  t.same(await webhooks.listDeadLetters('wh_1'), [])
  t.notOk(await webhooks.advance({ ...webhook, position, mark: 'bbbbbbbbbbbb' }, at(9)), 'a mark of another past')
})

t.test('the newest dead letters are kept, up to a limit, and go with their webhook', async t => {
  const { webhooks, run } = await build(t)
  await webhooks.add({ ...webhook, position: MAX_DEAD_LETTERS })
  await run({
    sql: `INSERT INTO webhook_dead_letter (webhook_id, position, reason, at)
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${MAX_DEAD_LETTERS})
      SELECT 'wh_1', n, 'reason', CURRENT_TIMESTAMP FROM number`,
    args: []
  })
  t.ok(await webhooks.giveUp({ ...webhook, position: MAX_DEAD_LETTERS }, at(MAX_DEAD_LETTERS + 1), 'another'))
  const letters = await webhooks.listDeadLetters('wh_1')
  t.same([letters.length, letters[0]!.position, letters.at(-1)], [MAX_DEAD_LETTERS, 2, { ...letters.at(-1), position: MAX_DEAD_LETTERS + 1, reason: 'another' }])
  t.ok(await webhooks.remove('wh_1'))
  t.notOk(await webhooks.remove('wh_1'))
  t.same(await webhooks.listDeadLetters('wh_1'), [])
})

if (onPostgresql) {
  t.test('an event that is given up while its webhook is removed leaves no dead letter', async t => {
    const { config, webhooks } = await build(t)
    await webhooks.add(webhook)
    const [deliverer, watch] = await Promise.all([connectTo(config.databaseUrl), connectTo(config.databaseUrl)])
    t.teardown(async () => { await Promise.all([deliverer.close(), watch.close()]) })
    await deliverer.query("BEGIN; UPDATE webhook SET position = 1; INSERT INTO webhook_dead_letter VALUES ('wh_1', 1, 'reason', now())")
    const state = { isSettled: false }
    const removed = webhooks.remove('wh_1').finally(() => { state.isSettled = true })
    const isWaiting = async () =>
      (await watch.query("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).length > 0
    while (!state.isSettled && !await isWaiting());
    await deliverer.query('COMMIT')
    t.ok(await removed)
    t.same(await webhooks.listDeadLetters('wh_1'), [])
  })
}
