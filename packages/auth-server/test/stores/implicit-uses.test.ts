import t from 'tap'
import { timeId } from '@frontdesk/service-kit/time-id'
import { DAY_MS } from '../../src/lifetimes.js'
import type { NewAuditRow } from '../../src/stores/operation/audit-row.js'
import { ImplicitUseCounter, isoWeek } from '../../src/stores/operation/implicit-use-counter.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

t.test('weeks are those of ISO 8601, also where years meet', async t => {
  const weeks: Array<[day: string, week: string]> = [
    ['2026-11-21', '2026-W47'],
    ['2026-11-22', '2026-W47'],
    ['2026-11-23', '2026-W48'],
    ['2020-12-31', '2020-W53'],
    ['2021-01-03', '2020-W53'],
    ['2021-01-04', '2021-W01'],
    ['2024-12-30', '2025-W01'],
    ['2027-01-01', '2026-W53'],
    ['1970-01-01', '1970-W01'],
    ['2023-01-01', '2022-W52']
  ]
  for (const [day, week] of weeks) for (const time of ['00:00:00', '23:59:59.999']) t.equal(isoWeek(new Date(`${day}T${time}Z`)), week, day)
})

t.test('counts of several replicas add up, with the first and the last use', async t => {
  const { implicitUses, close } = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(close)
  const at = (hour: number, day = 16) => new Date(Date.UTC(2026, 10, day, hour))
  const replicas = Array.from({ length: 4 }, () => new ImplicitUseCounter(implicitUses, error => t.fail(String(error))))
  for (const [index, replica] of replicas.entries()) {
    for (let i = 0; i < 100; i++) replica.count(`app-${i}`, at(10 + index))
    replica.count('app-0', at(1, 23))
  }
  await Promise.all(replicas.map(replica => replica.close()))
  const uses = await implicitUses.list()
  t.equal(uses.length, 101)
  t.same(uses.slice(0, 2), [
    { clientId: 'app-0', week: '2026-W47', uses: 4, firstAt: at(10), lastAt: at(13) },
    { clientId: 'app-0', week: '2026-W48', uses: 4, firstAt: at(1, 23), lastAt: at(1, 23) }
  ])
  t.ok(uses.every(({ uses }) => uses === 4))
})

t.test('what cannot be written while the database does not answer is counted later', async t => {
  const { implicitUses, close } = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(close)
  let isAway = true
  const told: unknown[] = []
  const counter = new ImplicitUseCounter({
    ...implicitUses, add: async uses => { if (isAway) throw new Error('away'); await implicitUses.add(uses) }
  }, error => told.push(error))
  const [early, late] = [new Date(Date.UTC(2026, 10, 16)), new Date(Date.UTC(2026, 10, 17))]
  counter.count('app', late)
  await counter.flush()
  t.equal(told.length, 1)
  isAway = false
  counter.count('app', early)
  await counter.close()
  await counter.close()
  t.same(await implicitUses.list(), [{ clientId: 'app', week: '2026-W47', uses: 2, firstAt: early, lastAt: late }])
})

t.test('who got tokens by the implicit grant, and the last code, are read from the events of a client', async t => {
  const { implicitUses, audit, close } = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(close)
  const [since, now] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-20T00:00:00Z')]
  const row = (day: number, userId: string, changes: Partial<NewAuditRow> = {}): NewAuditRow => {
    const at = new Date(now.getTime() + day * DAY_MS)
    return {
      id: timeId(at), at, event: 'grant', outcome: 'implicit', userId, clientId: 'app', source: null, requestId: null, details: {}, ...changes
    }
  }
  const code = { event: 'token', outcome: 'authorization_code' }
  t.same(await implicitUses.seen('app', since), { users: 0, lastCode: null, isWhole: true })
  await audit.add([
    row(-1, 'ann'), row(-2, 'ann'), row(-3, 'bea'), row(-40, 'old'), row(-1, 'other', { clientId: 'other' }),
    row(-4, 'cem', { outcome: 'authorization_code' }), row(-5, 'cem', code), row(-3, 'cem', code), row(-41, 'old', code)
  ])
  t.same(await implicitUses.seen('app', since), { users: 2, lastCode: new Date('2026-11-17T00:00:00Z'), isWhole: true })
})
