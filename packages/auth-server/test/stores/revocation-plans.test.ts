import t from 'tap'
import { openRevocations } from '../../src/stores/access/revocations.js'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'
import { lastStatement, plansOf } from '../support/stores/plans.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const ROWS = 100_000
const numbers = onPostgresql
  ? `SELECT i FROM generate_series(1, ${ROWS}) AS i`
  : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i FROM n`
const moment = onPostgresql
  ? "timestamp '2026-01-01' + i / 1000 * interval '1 second'"
  : "strftime('%Y-%m-%dT%H:%M:%S.000+00:00', '2026-01-01', '+' || (i / 1000) || ' seconds')"
/** A place amid those of one time. */
const place = { revokedAt: new Date('2026-01-01T00:00:50Z'), id: 'r050500' }

t.test('a page of the feed is read from an index, neither sorted nor found by reading all, on any page of 100,000', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  const id = onPostgresql ? "'r' || lpad(CAST(i AS text), 6, '0')" : "printf('r%06d', i)"
  await direct.query(
    `INSERT INTO revocation (id, revoked_at, ends_at, not_before) SELECT ${id}, at, at, CASE WHEN i % 2 = 0 THEN at END FROM (SELECT i, ${moment} AS at FROM (${numbers}) AS number) AS row_of`
  )
  // Autovacuum does it; SQLite goes without.
  if (onPostgresql) await direct.query('VACUUM ANALYZE')

  const page = await stores.revocations.after(place, 500)
  t.same(
    page.map(({ id }) => id),
    Array.from({ length: 500 }, (_, i) => `r0${50_501 + i}`),
    'those after it of the same time, and then of later ones'
  )
  const begin = new Date('2026-01-01T00:00:50Z')
  t.same(page.slice(0, 2), [
    { id: 'r050501', revokedAt: begin, endsAt: begin, notBefore: null },
    { id: 'r050502', revokedAt: begin, endsAt: begin, notBefore: begin }
  ])
  t.same(page.at(-1), {
    id: 'r051000',
    revokedAt: new Date('2026-01-01T00:00:51Z'),
    endsAt: new Date('2026-01-01T00:00:51Z'),
    notBefore: new Date('2026-01-01T00:00:51Z')
  })

  const asked = [`'${place.revokedAt.toISOString().replace('Z', onPostgresql ? '' : '+00:00')}'`, `'${place.id}'`, '500']
  const { sql } = await lastStatement(url, connection => openRevocations(connection).after(place, 500))
  for (const plan of await plansOf(sql, asked, direct.query)) {
    t.notMatch(plan, /SCAN|TEMP B-TREE|MULTI-INDEX|Seq Scan|Sort|Bitmap|Filter/, plan)
  }
})

t.test('to end the access of a user does not read the 100,000 rows of others, which are never removed', async t => {
  const { stores, direct } = await twoReplicas(t)
  await stores.clients.add(client())
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  await direct.query(`INSERT INTO access_epoch (user_id, client_id, epoch, not_before) SELECT 'user' || i, 'app', 1, ${moment} FROM (${numbers}) AS number`)
  /** The shortest of five times: the machine may be busy. */
  const time = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let i = 0; i < 5; i++) {
      const begin = performance.now()
      await work()
      times.push(performance.now() - begin)
    }
    return Math.min(...times)
  }
  const all = await time(async () => await stores.clients.revoke('app'))
  for (const [name, work] of Object.entries({
    'at a client': async () => await stores.authorizedApps.remove('ann', 'app'), everywhere: async () => await stores.users.endAccess('ann')
  })) {
    const took = await time(work)
    t.ok(took < all / 3, `${name}: ${took.toFixed(1)} ms, of a client ${all.toFixed(1)} ms`)
  }
})
