import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

const MANY = 20_000

t.test(`access of ${MANY} grants is removed whole and at once, and the password and sign-out do not depend on them`, async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  const userId = randomUUID()
  await stores.users.add({ id: userId, username: 'ann', passwordHash: 'x', demo: false })
  const now = new Date()
  const hence = new Date(now.getTime() + 86_400_000)
  const consent = { userId, clientId: 'app', audience: 'api', scope: ['a'], allowedAt: now, nonceHash: 'seed' }
  await stores.grants.add({
    id: 'seed',
    nonceHash: 'seed',
    clientId: 'app',
    userId,
    responseType: 'code',
    scope: 'a',
    audience: 'api',
    createdAt: now,
    expiresAt: hence,
    epoch: 0,
    isSilent: false
  })
  await stores.consents.add(consent)
  const connection = await connectTo(url)
  t.teardown(() => connection.close())
  const numbers = onPostgresql
    ? `generate_series(1, ${MANY}) AS number (n)`
    : `(WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${MANY}) SELECT n FROM number)`
  await connection.query(`INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
    SELECT 'g' || n, 'n' || n, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at FROM access_grant, ${numbers}`)
  await connection.query(`INSERT INTO refresh_token (family_hash, hash, spent, grant_id, client_id, user_id, scope, audience, auth_time, amr, created_at, expires_at, ends_at)
    SELECT 'r' || n, 'r' || n, '[]', 'g' || n, client_id, user_id, scope, audience, created_at, 'pwd', created_at, expires_at, expires_at FROM access_grant, ${numbers} WHERE id = 'seed'`)
  // As autovacuum would.
  await connection.query('ANALYZE')

  const live = async () =>
    (await Promise.all(['1', '2', '10000', '19999', `${MANY}`].map(async n => await stores.refreshTokens.find({ hash: `r${n}`, familyHash: `r${n}` }, now)))).filter(
      it => it !== null
    ).length
  /** Rows of the grants: what changes them in the moment that access ends would take longer the more there are. */
  const rows = async () =>
    Number((await connection.query('SELECT (SELECT count(*) FROM access_grant) + (SELECT count(*) FROM refresh_token) AS n'))[0]?.n)
  const all = await rows()
  t.equal(await live(), 5)
  await stores.authorizedApps.remove(userId, 'app')
  t.equal(await live(), 0)
  t.same(await stores.consents.find(consent), [])
  t.match(await stores.users.storedData('ann', now), { clients: [] })
  await stores.users.setPassword('ann', 'y')
  await stores.users.endAccess(userId)
  t.equal(await rows(), all)
  await stores.users.remove('ann')
  t.same(await connection.query('SELECT id FROM access_grant LIMIT 1'), [])
})
