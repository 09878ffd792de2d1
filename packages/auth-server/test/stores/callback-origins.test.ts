import t from 'tap'
import { createOriginSearch } from '../../src/stores/clients/clients.js'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'
import { lastStatement, plansOf } from '../support/stores/plans.js'

export const onBothDatabases = true

const ROWS = 20_000
const numbers = onPostgresql
  ? `SELECT i FROM generate_series(1, ${ROWS}) AS i`
  : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i FROM n`

t.test('the origin of a callback is found, in an index; one that only begins alike is not', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client({ id: 'web', callbacks: ['https://app.example/callback', 'https://bare.example', 'https://query.example?a=b'] }))
  await stores.clients.add(client({ id: 'native', native: true, callbacks: ['http://127.0.0.1/callback'] }))
  await stores.clients.add(client({ id: 'off', callbacks: ['https://off.example/callback'] }))
  await stores.clients.setDisabled('off', new Date())
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  await direct.query(`INSERT INTO client_callback (client_id, uri) SELECT 'web', 'https://app' || i || '.example/callback' FROM (${numbers}) AS number`)
  // Autovacuum does it; SQLite goes without.
  if (onPostgresql) await direct.query('VACUUM ANALYZE')

  for (const [origin, found] of Object.entries({
    'https://app.example': true,
    'https://bare.example': true,
    'https://query.example': true,
    'https://app7.example': true,
    'http://127.0.0.1:49152': true,
    'http://127.0.0.1': true,
    'https://app.exampl': false,
    'https://app.example:8443': false,
    'http://app.example': false,
    'https://APP.example': false,
    'http://localhost:49152': false,
    'http://127.0.0.10': false,
    'https://off.example': false,
    'https://%': false,
    null: false
  })) t.equal(await stores.clients.hasOrigin(origin), found, origin)

  for (const origin of ['https://unknown.example', 'http://127.0.0.1:1']) {
    const { sql, args } = await lastStatement(url, connection => createOriginSearch(connection)(origin))
    const plans = await plansOf(sql, args.map(it => `'${String(it)}'`), direct.query)
    if (onPostgresql) await direct.query('DEALLOCATE asked')
    for (const plan of plans) t.notMatch(plan, /SCAN client_callback\b|Seq Scan on client_callback/, plan)
  }
})
