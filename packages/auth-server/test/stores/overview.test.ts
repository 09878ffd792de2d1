import { timeId } from '@frontdesk/service-kit/time-id'
import t from 'tap'
import { DAY_MS } from '../../src/lifetimes.js'
import { openOverview } from '../../src/stores/operation/overview.js'
import { client } from '../support/helper.js'
import { onPostgresql } from '../support/database.js'
import { plansOf, sentStatements } from '../support/stores/plans.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const NOW = new Date('2030-01-16T12:00:00Z')
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

/** Adds sign-ins with an outcome, spread over the two hours after a time. */
async function addSignIns ({ direct }: Awaited<ReturnType<typeof twoReplicas>>, count: number, outcome: string, from: Date) {
  const rows = Array.from({ length: count }, (_, i) => timeId(new Date(from.getTime() + i % 7_200 * 1_000)))
  for (let at = 0; at < count; at += 500) {
    const values = rows.slice(at, at + 500).map(id => `('${id}', '${from.toISOString()}', 'sign-in', '${outcome}', '{}', 1, 0)`)
    await direct.query(`INSERT INTO audit (id, at, event, outcome, details, rank, position) VALUES ${values.join(', ')}`)
  }
}

t.test('sign-ins of a day and of the day before, and whether there are more than are read', async t => {
  const replicas = await twoReplicas(t)
  const { overview } = replicas.stores
  await addSignIns(replicas, 3, 'signed in', before(0.5))
  await addSignIns(replicas, 1, 'wrong', before(0.5))
  await addSignIns(replicas, 2, 'throttled', before(1.5))
  await addSignIns(replicas, 9, 'signed in', before(2.5))
  t.same(await overview.signIns(NOW), {
    now: { done: 3, failed: 1, isPartial: false }, before: { done: 0, failed: 2, isPartial: false }
  })
  await addSignIns(replicas, 10_001, 'signed in', before(1.5))
  t.match((await overview.signIns(NOW)).before, { isPartial: true })
})

t.test('new users, apps by week, apps that registered themselves, and apps that fail logout tokens', async t => {
  const { stores, direct } = await twoReplicas(t)
  const { overview } = stores
  for (const [id, days] of [['a', 1], ['b', 6], ['c', 8], ['d', 20]] as const) {
    await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
    await direct.query(`UPDATE user_account SET created_at = '${before(days).toISOString().replace('Z', '+00:00')}' WHERE id = '${id}'`)
  }
  t.same(await overview.newUsers(NOW), { now: 2, before: 1 })
  t.equal(await overview.users(), 4)

  await stores.clients.put(client({ backchannelLogoutUri: 'https://app.example/logout' }))
  await stores.clients.put(client({ id: 'own', registeredBy: 'open' }))
  const uses = { uses: 5, firstAt: NOW, lastAt: NOW }
  await stores.implicitUses.add([['app', '2030-W03'], ['app', '2030-W02'], ['own', '2030-W02'], ['own', '2029-W40']]
    .map(([clientId, week]) => ({ ...uses, clientId: clientId!, week: week! })))
  t.same(await overview.implicitClients(NOW), { now: 1, before: 2 })
  t.equal(await overview.selfRegistered(), 1)

  t.same(await overview.logoutFailures(), [])
  await stores.clientSessions.beginOnDevice('device', 'a', { clientId: 'app', epoch: 0, endsAt: before(-1) })
  await stores.users.endAccess('a')
  await stores.clientSessions.markEnded()
  const [first] = await stores.clientSessions.claim([])
  t.same(await overview.logoutFailures(), [], 'the first try is under way')
  await stores.clientSessions.retry(first!, before(3_650))
  const [second] = await stores.clientSessions.claim([])
  t.same(await overview.logoutFailures(), ['app'])
  await stores.clientSessions.finish(second!)
  t.same(await overview.logoutFailures(), [])
})

t.test('each number reads an index, and a bounded part of it', async t => {
  const { url, stores, direct } = await twoReplicas(t)
  await stores.clients.put(client())
  await fill(direct.query)
  for (const name of ['signIns', 'newUsers', 'implicitClients', 'logoutFailures'] as const) {
    for (const { sql, args } of await sentStatements(url, connection => openOverview(connection)[name](NOW))) {
      const values = args.map(value => typeof value === 'number' ? `${value}` : `'${value instanceof Date ? value.toISOString() : value}'`)
      for (const plan of await plansOf(sql, values, direct.query)) {
        t.notMatch(plan, /SCAN (audit|user_account|implicit_use|client_session)(?! USING)|Seq Scan/, `${name}: ${plan}`)
      }
      if (onPostgresql) await direct.query('DEALLOCATE ALL')
    }
  }
  t.ok(await stores.overview.users())
})

/** Adds rows, so that the planner has a choice. */
async function fill (query: (sql: string) => Promise<unknown>) {
  const numbers = onPostgresql
    ? 'SELECT i FROM generate_series(1, 20000) AS i'
    : 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n'
  const at = `'${before(100).toISOString().replace('Z', '+00:00')}'`
  const [yes, no] = onPostgresql ? ['true', 'false'] : ['1', '0']
  await query(`INSERT INTO user_account (id, username, username_key, search_key, password_hash, email_verified, demo, created_at, updated_at)
    SELECT 'id-' || i, 'u' || i, 'u' || i, 'u' || i, 'x', ${yes}, ${no}, ${at}, ${at} FROM (${numbers}) AS number`)
  await query(`INSERT INTO implicit_use (client_id, week, uses, first_at, last_at)
    SELECT 'app-' || i, CAST(i / 200 AS text), 1, ${at}, ${at} FROM (${numbers}) AS number`)
  await query(`INSERT INTO audit (id, at, event, outcome, details, rank, position)
    SELECT 'a' || i, ${at}, CASE WHEN i % 2 = 0 THEN 'sign-in' ELSE 'token' END, 'done', '{}', 1, i FROM (${numbers}) AS number`)
  await query(`INSERT INTO client_session (sid, client_id, client_sid, epoch, user_id, ends_at, attempts)
    SELECT 's' || i, 'app', 's' || i, 0, 'x', ${at}, 0 FROM (${numbers}) AS number`)
  if (onPostgresql) await query('VACUUM ANALYZE')
}
