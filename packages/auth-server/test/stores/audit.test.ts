import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { cleanUp } from '../../src/plugins/clean-up.js'
import type { AuditRow } from '../../src/stores/operation/audit-row.js'
import { AuditTrail } from '../../src/stores/operation/audit-trail.js'
import { openStores } from '../../src/stores/stores.js'
import { createTimeIds, leastTimeId } from '@frontdesk/service-kit/time-id'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { auditLimits } from '../support/stores/audit-limits.js'

export const onBothDatabases = true

const DAY = 86_400_000

async function open (t: Parameters<typeof temporaryDatabase>[0]) {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  return stores
}

/** The error of a database that does not answer. */
const awayError = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })

t.test('ids are UUIDs of version 7 that sort by time, also those of one moment and when the clock goes back', async t => {
  const next = createTimeIds()
  const now = new Date()
  const ids = [now, new Date(now.getTime() + 5), now, ...Array.from({ length: 5_000 }, () => now), new Date(now.getTime() + 60_000)].map(
    next
  )
  t.same([...ids].sort(), ids)
  t.ok(ids.every(id => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)))
  t.ok(leastTimeId(now) < ids[0]!)
  t.ok(leastTimeId(new Date(now.getTime() + 1)) > ids[0]!)
})

t.test('rows are found by what is asked for, newest first, page by page', async t => {
  const { audit } = await open(t)
  const next = createTimeIds()
  const start = Date.now() - 100_000
  const rows: AuditRow[] = Array.from({ length: 100 }, (_, i) => {
    const at = new Date(start + 1_000 * i)
    return {
      id: next(at),
      at,
      event: i % 2 ? 'grant' : 'refusal',
      outcome: 'x',
      userId: i % 5 ? null : 'ann',
      clientId: `app-${i % 3}`,
      source: '192.0.2.1',
      requestId: `r${i}`,
      details: { text: '\0 é', i }
    }
  })
  await audit.add(rows)
  await audit.add([{ ...rows[0]!, event: 'changed' }])
  const newest = (keep: (row: AuditRow, index: number) => boolean) => rows.filter(keep).reverse()
  t.same(await audit.list({}, 1_000), newest(() => true), 'what is there stays as it is')
  t.same(await audit.list({ event: 'grant', clientId: 'app-1' }, 5), newest((_, i) => i % 2 === 1 && i % 3 === 1).slice(0, 5))
  t.same(await audit.list({ userId: 'ann', since: rows[50]!.at }, 1_000), newest((_, i) => i % 5 === 0 && i >= 50))
  t.same(await audit.list({ requestId: 'r7' }, 10), [rows[7]])
  const paged = []
  for (let page = await audit.list({}, 7); page.length > 0; page = await audit.list({ before: page.at(-1)!.id }, 7)) paged.push(...page)
  t.same(paged, newest(() => true))
})

t.test('what is older than its time is removed by the clean-up, and nothing else', async t => {
  const stores = await open(t)
  const next = createTimeIds()
  const now = new Date()
  const at = (days: number) => new Date(now.getTime() - days * DAY)
  for (const days of [91, 90.01, 89.99, 1]) {
    await stores.audit.add([
      {
        id: next(at(days)),
        at: at(days),
        event: 'grant',
        outcome: `${days}`,
        userId: null,
        clientId: null,
        source: null,
        requestId: null,
        details: {}
      }
    ])
  }
  await cleanUp(stores, now, auditLimits(90))
  t.same((await stores.audit.list({}, 10)).map(({ outcome }) => outcome), ['1', '89.99'])
})

t.test('rows wait while the database does not answer, and are written once when it does', async t => {
  const { audit } = await open(t)
  let isAway = true
  const lost: number[] = []
  const add = async (rows: readonly AuditRow[]) => {
    await audit.add(rows)
    // As when the answer is lost: the row is there, and is sent again.
    if (isAway) throw awayError()
  }
  const trail = new AuditTrail({ ...audit, add }, { onLoss: (_, rows) => lost.push(rows) })
  for (const outcome of ['a', 'b']) trail.record({ event: 'grant', outcome })
  await trail.flush()
  isAway = false
  trail.record({ event: 'grant', outcome: 'c' })
  await trail.close()
  t.same((await audit.list({}, 10)).map(({ outcome }) => outcome).sort(), ['a', 'b', 'c'])
  t.same(lost, [])
})

t.test('while the database does not answer, a flood of anonymous rows leaves room for authenticated ones', async t => {
  const { audit } = await open(t)
  let isAway = true
  const written: AuditRow[] = []
  const lost: number[] = []
  const add = async (rows: readonly AuditRow[]) => {
    if (isAway) throw awayError()
    written.push(...rows)
  }
  const trail = new AuditTrail({ ...audit, add }, { onLoss: (_, rows) => lost.push(rows) })
  const start = Date.now()
  for (let second = 0; second < 12_000; second++) trail.recordUnproven({ event: 'refusal', outcome: 'x' }, new Date(start + second * 1_000))
  await trail.flush()
  for (let i = 0; i < 100; i++) trail.record({ event: 'grant', outcome: 'x' })
  isAway = false
  await trail.close()
  t.equal(written.filter(({ event }) => event === 'grant').length, 100)
  t.equal(written.filter(({ outcome }) => outcome === 'x').length, 5_100)
  t.same(written.at(-1)?.details, { count: 7_000 })
  t.same(lost, [])
})

t.test('rows that wait have an end, also after the database went away amid a write', async t => {
  const { audit } = await open(t)
  const lost: number[] = []
  const trail = new AuditTrail(
    {
      ...audit,
      add: async () => {
        throw awayError()
      }
    },
    { onLoss: (_, rows) => lost.push(rows) }
  )
  for (let round = 0; round < 3; round++) {
    const flushed = trail.flush()
    for (let i = 0; i < 6_000; i++) trail.record({ event: 'grant', outcome: 'x' })
    await flushed
  }
  await trail.close()
  t.ok(lost.at(-1)! < 20_000, `${lost.at(-1)} rows wait`)
  t.equal(lost.reduce((sum, rows) => sum + rows), 18_000)
})

t.test('what is being written when the server closes is written by then', async t => {
  const { audit } = await open(t)
  const slow = new AuditTrail(
    {
      ...audit,
      add: async rows => {
        await setTimeout(100)
        await audit.add(rows)
      }
    },
    { onLoss: error => t.fail(String(error)) }
  )
  slow.record({ event: 'grant', outcome: 'a' })
  const flushed = slow.flush()
  slow.record({ event: 'grant', outcome: 'b' })
  await slow.close()
  t.equal((await audit.list({}, 10)).length, 2)
  await flushed
})

t.test('rows that can never be written are logged and dropped, and so are those that still wait at the end', async t => {
  const { audit } = await open(t)
  const lost: number[] = []
  const trail = (error: Error) =>
    new AuditTrail(
      {
        ...audit,
        add: async () => {
          throw error
        }
      },
      { onLoss: (_, rows) => lost.push(rows) }
    )
  const broken = trail(new Error('no'))
  broken.record({ event: 'grant', outcome: 'a' })
  await broken.flush()
  t.same(lost, [1])
  await broken.close()
  t.same(lost, [1])
  const away = trail(awayError())
  for (const outcome of ['a', 'b']) away.record({ event: 'grant', outcome })
  await away.close()
  t.same(lost, [1, 2])
})
