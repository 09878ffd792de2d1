import { createTimeIds } from '@frontdesk/service-kit/time-id'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { checkAudit } from '../../src/admin/health.js'
import { cleanUp } from '../../src/plugins/clean-up.js'
import type { NewAuditRow } from '../../src/stores/operation/audit-row.js'
import { openStores, type Stores } from '../../src/stores/stores.js'
import { connectTo, longTimeouts, temporaryDatabase } from '../support/database.js'
import { build } from '../support/helper.js'
import { auditLimits, trimTo } from '../support/stores/audit-limits.js'

export const onBothDatabases = true

const DAY_MS = 86_400_000
const kinds = { stranger: { isUnproven: true }, person: {}, operator: { isOperators: true } }
type Kind = keyof typeof kinds

/** A database, what makes rows of a kind, oldest first, and what counts those that are there. */
async function open (t: Test, replicas = 1) {
  const url = await temporaryDatabase(t)
  const all: Stores[] = []
  for (let i = 0; i < replicas; i++) all.push(await openStores(url, longTimeouts))
  const connection = await connectTo(url)
  t.teardown(async () => { await Promise.all([...all, connection].map(it => it.close())) })
  const next = createTimeIds()
  const start = new Date()
  const rows = (kind: Kind, count: number, at = start): NewAuditRow[] => Array.from({ length: count }, (_, i) => ({
    id: next(at), at, event: kind, outcome: `${i}`, userId: null, clientId: null, source: null, requestId: null, details: {}, ...kinds[kind]
  }))
  const kept = async () => {
    const found = await connection.query('SELECT event, COUNT(*) AS count FROM audit GROUP BY event')
    return Object.fromEntries(found.map(({ event, count }) => [String(event), Number(count)]))
  }
  return { all, stores: all[0]!, rows, kept, start }
}

t.test('beyond the limit, rows of unauthenticated callers go first, then those of people, oldest first, and never those of operators', async t => {
  const { stores: { audit }, rows, kept } = await open(t)
  const add = async (kind: Kind, count: number) => { await audit.add(rows(kind, count), trimTo(100)) }
  for (const kind of ['stranger', 'operator', 'person', 'stranger'] as const) await add(kind, 25)
  t.same(await kept(), { stranger: 50, operator: 25, person: 25 })
  await add('person', 30)
  t.same(await kept(), { stranger: 20, operator: 25, person: 55 })
  t.same((await audit.list({ event: 'stranger' }, 100)).map(({ outcome }) => Number(outcome)), Array.from({ length: 20 }, (_, i) => 24 - i), 'the newest stay')
  await add('operator', 30)
  t.same(await kept(), { operator: 55, person: 45 })
  await add('stranger', 300)
  t.same(await kept(), { operator: 55, person: 45 }, 'a flood of strangers removes its own rows only')
  await add('operator', 70)
  t.same(await kept(), { operator: 125 }, 'actions of operators stay, whatever the limit')
  t.equal(await audit.count(), 125)
})

t.test('the same rows twice count once', async t => {
  const { stores: { audit }, rows } = await open(t)
  const twice = rows('person', 130)
  await Promise.all([audit.add(twice, trimTo(1_000)), audit.add(twice, trimTo(1_000)), audit.add(twice.slice(3), trimTo(1_000))])
  t.equal(await audit.count(), 130)
})

t.test('many writers on two replicas while the clean-up runs: there are never more rows than the limit, and the count is exact', async t => {
  const { all, rows, kept, start } = await open(t, 2)
  const old = new Date(start.getTime() - 91 * DAY_MS)
  await all[0]!.audit.add(rows('person', 300, old))
  const done = new AbortController()
  let most = 0
  const look = async () => {
    while (!done.signal.aborted) {
      most = Math.max(most, Object.values(await kept()).reduce((sum, count) => sum + count, 0))
      await setImmediate()
    }
  }
  const looking = look()
  const cleaning = all.map((stores, i) => cleanUp(stores, start, auditLimits(90, 500)))
  await Promise.all(Array.from({ length: 40 }, async (_, i) => {
    for (const kind of ['stranger', 'person', 'stranger'] as const) await all[i % 2]!.audit.add(rows(kind, 17), trimTo(500))
  }))
  await Promise.all(cleaning)
  done.abort()
  await looking
  t.ok(most <= 500, `${most} rows`)
  const { stranger = 0, person = 0 } = await kept()
  t.equal(await all[0]!.audit.count(), stranger + person)
  t.ok(person >= 200, `${person} rows of people: those that are new stay`)
})

t.test('after the limit was lowered, the clean-up removes the rows beyond it; those that are old go, of operators too', async t => {
  const { stores, rows, kept, start } = await open(t)
  const old = new Date(start.getTime() - 91 * DAY_MS)
  for (const kind of ['stranger', 'person', 'operator'] as const) await stores.audit.add(rows(kind, 1_000))
  await stores.audit.add(rows('operator', 10, old))
  await cleanUp(stores, start, auditLimits(90, 1_300))
  t.same(await kept(), { person: 300, operator: 1_000 })
  t.equal(await stores.audit.count(), 1_300)
})

t.test('readiness and doctor say at 80 % that the trail fills up, and the service serves', async t => {
  const { app, stores } = await build(t, { AUDIT_MAX_ROWS: '1000' })
  const { rows } = await open(t)
  const ready = async () => {
    const { statusCode, json } = await app.inject('/health/ready')
    return [statusCode, json<{ checks: Record<string, string> }>().checks.audit]
  }
  await stores.audit.add(rows('person', 799))
  t.same(await ready(), [200, undefined])
  t.match(checkAudit(799, { auditMaxRows: 1_000 }), { check: 'audit', state: 'ok' })
  await stores.audit.add(rows('person', 1))
  t.same(await ready(), [200, 'holds 800 rows of at most 1000'])
  t.match(checkAudit(800, { auditMaxRows: 1_000 }), { state: 'warning', sentence: { sentence: 'The audit trail holds 800 rows of at most 1000.' } })
  await stores.audit.add(rows('person', 200))
  t.same(await ready(), [200, 'holds 1000 rows of at most 1000; the oldest are removed before their time'])
  await app.inject({ url: '/authorize', headers: { accept: 'text/html' } })
  await app.auditTrail.flush()
  t.equal(await stores.audit.count(), 1_000, 'the setting limits what requests add')
})
