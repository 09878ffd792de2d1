import t from 'tap'
import { openCounters } from '../../src/stores/operation/counters.js'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, longTimeouts, onPostgresql, temporaryDatabase } from '../support/database.js'
import { plansOf, sentStatements } from '../support/stores/plans.js'

export const onBothDatabases = true

t.test('counters are found and removed by the beginning of their keys, in the index, and no others with them', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const throttle = stores.throttles.under({ name: 'account', points: 5, duration: 60 })
  const keys = ['aB-_ 192.0.2.1', 'aB-_ 2001:db8::/64', 'aB-_ unknown']
  const others = ['ab-_ 192.0.2.1', 'aB-_', 'aB-_x 192.0.2.1', 'aB_- 192.0.2.1', 'aB-_z 1', 'aA 1', 'aC 1']
  for (const key of [...keys, ...others]) await throttle.count(key)
  const found = async () => (await stores.counters.find('account:aB-_ ')).map(({ key }) => key.slice('account:'.length)).sort()
  t.same(await found(), keys)
  t.equal(await stores.counters.remove('account:aB-_ '), 3)
  t.equal(await stores.counters.remove('account:aB-_ '), null)
  t.same(await found(), [])
  for (const key of others) t.equal((await throttle.count(key)).used, 1 / 5, `${key} has stayed`)

  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  const numbers = onPostgresql
    ? 'SELECT i FROM generate_series(1, 20000) AS i'
    : 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n'
  await direct.query(`INSERT INTO throttle (key, points, expire) SELECT 'account:' || i || ' 192.0.2.1', 1, '2100-01-01' FROM (${numbers}) AS number`)
  if (onPostgresql) await direct.query('VACUUM ANALYZE')
  const statements = await sentStatements(url, async connection => {
    await openCounters(connection).find('account:77 ')
    await openCounters(connection).remove('account:77 ')
  })
  t.equal(statements.length, 2)
  for (const { sql, args } of statements) {
    for (const plan of await plansOf(sql, args.map(value => `'${value}'`), direct.query)) t.notMatch(plan, /SCAN|Seq Scan/, plan)
    if (onPostgresql) await direct.query('DEALLOCATE ALL')
  }
})
