import t, { type Test } from 'tap'
import { openAuditQuery, type AuditFilter } from '../../src/stores/operation/audit-query.js'
import { openImplicitUses } from '../../src/stores/operation/implicit-uses.js'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../support/database.js'
import { plansOf, sentStatements, type Statement } from '../support/stores/plans.js'

export const onBothDatabases = true

const ROWS = 100_000
const numbers = onPostgresql
  ? `SELECT i FROM generate_series(1, ${ROWS}) AS i`
  : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i FROM n`
const id = onPostgresql ? "lpad(CAST(i AS text), 8, '0') || '-0000-7000-8000-000000000000'" : "printf('%08d-0000-7000-8000-000000000000', i)"

/** The old half is of one user and one client, and all that the new half has is more common: the planner would read it to its end. */
const FILLING = `INSERT INTO audit (id, at, event, outcome, user_id, client_id, source, request_id, details, rank, position)
  SELECT ${id}, '2026-01-01 00:00:00', CASE WHEN i <= ${ROWS / 2} THEN 'old' ELSE 'new' END, 'done',
    CASE WHEN i <= ${ROWS / 2} THEN 'ann' ELSE 'ben' END, CASE WHEN i <= ${ROWS / 2} THEN 'retired' ELSE 'shop' END, '192.0.2.1',
    CASE WHEN i <= ${ROWS / 2} THEN 'same' ELSE 'request-' || i END, '{}', 1, i
  FROM (${numbers}) AS number`

const FILTERS: readonly AuditFilter[] = [
  {},
  { since: new Date(0), before: 'f' },
  { userId: 'ann' },
  { clientId: 'retired' },
  { event: 'old' },
  { requestId: 'same' },
  { outcome: 'nothing' },
  { source: 'nothing', outcome: 'done' },
  { userId: 'ann', event: 'new' },
  { clientId: 'shop', userId: 'ann' },
  { requestId: 'same', clientId: 'shop' }
]

t.test('a page of the audit trail reads one index in its order, and a bounded part of it, whatever it looks for', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  await direct.query(FILLING)
  if (onPostgresql) await direct.query('VACUUM ANALYZE')

  for (const filter of FILTERS) {
    const { rows, next } = await stores.audit.page(filter, 20)
    t.ok(rows.length <= 20)
    if (rows.length === 0) t.type(next, 'string', `${JSON.stringify(filter)}: there is more to read`)
    const statements = await sentStatements(url, connection => openAuditQuery(connection).page(filter, 20))
    for (const { sql, args } of statements) {
      const values = args.map(value => typeof value === 'number' ? `${value}` : `'${value}'`)
      for (const plan of await plansOf(sql, values, direct.query)) {
        t.notMatch(plan, /SCAN audit(?! USING)|Seq Scan|Bitmap/, `${JSON.stringify(filter)}\n${plan}`)
        t.match(plan, onPostgresql ? /Index (Only )?Scan Backward/ : /SEARCH audit USING/, plan)
        if (onPostgresql) t.notMatch(plan, /Sort/, plan)
      }
      if (onPostgresql) await direct.query('DEALLOCATE ALL')
    }
  }
})

// SQLite ends at such a bound.
if (onPostgresql) {
  // The last eleven of the old half.
  const since = new Date(0x0004_9990_0000)

  async function openFilled (t: Test) {
    const url = await temporaryDatabase(t)
    await (await openStores(url, longTimeouts)).close()
    const direct = await connectTo(url)
    t.teardown(() => direct.close())
    await direct.query(FILLING)
    await direct.query('VACUUM ANALYZE')
    /** Asserts that a statement reads fewer pages. */
    const readsFewer = async ({ sql, args }: Statement, pages: number) => {
      const values = args.map(value => typeof value === 'number' ? `${value}` : `'${value}'`)
      const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => values[Number(number) - 1]!)
      const plan = (await direct.query(`EXPLAIN (ANALYZE, BUFFERS) ${text}`)).map(row => row['QUERY PLAN']).join('\n')
      t.ok(Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? 0) < pages, plan)
    }
    return { url, direct, readsFewer }
  }

  t.test('no rows before the oldest time are read', async t => {
    const { url, readsFewer } = await openFilled(t)
    for (const others of [{}, { userId: 'ann' }, { outcome: 'done' }, { userId: 'nobody', outcome: 'done' }]) {
      let found: { readonly rows: readonly unknown[] } = { rows: [] }
      const statements = await sentStatements(url, async connection => {
        found = await openAuditQuery(connection).page({ event: 'old', since, ...others }, 20)
      })
      t.equal(found.rows.length, others.userId === 'nobody' ? 0 : 11)
      for (const statement of statements) await readsFewer(statement, 200)
    }
  })

  t.test('the summary of a client reads a bounded part of its events', async t => {
    const { url, direct, readsFewer } = await openFilled(t)
    await direct.query("UPDATE audit SET client_id = 'retired'")
    await direct.query('VACUUM ANALYZE')
    const [statement] = await sentStatements(url, connection => openImplicitUses(connection).seen('retired', new Date(0x0009_9990_0000)))
    await readsFewer(statement!, 500)
  })
}

t.test('the pages of a filter without matches end, and each reads the rows after those of the last', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  await direct.query(FILLING)
  const all = []
  for (let next: string | null | undefined; next !== null;) {
    const page = await stores.audit.page({ event: 'old', userId: 'ann', source: '192.0.2.1', before: next }, 9_000)
    all.push(...page.rows.map(({ id }) => id))
    next = page.next
  }
  t.equal(all.length, ROWS / 2)
  t.equal(new Set(all).size, ROWS / 2)
  t.same(all, all.toSorted().reverse())
  t.equal((await stores.audit.list({ event: 'old', outcome: 'done', userId: 'ann' }, 25_000)).length, 25_000)
  t.same(await stores.audit.list({ userId: 'ann', source: 'nothing' }, 10), [])
})
