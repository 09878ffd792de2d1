import t from 'tap'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

/** More users than the directory searches in a sector. */
const MANY = 5_003

const DAY_MS = 86_400_000

t.test('of many users of a sector, the directory searches those whose access expires last', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.put(client({ sectorIdentifier: 'shop.example' }))
  const add = async (userId: string, id: string, days: number) => {
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + days * DAY_MS)]
    const access = { clientId: 'app', userId, responseType: 'code', scope: 'a', audience: 'api', createdAt, expiresAt }
    await stores.grants.add({ ...access, id, nonceHash: id, epoch: 0, isSilent: false })
  }
  for (const id of ['a-user', 'seed', 'z-user']) await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
  await add('seed', 'seed', 2)
  const connection = await connectTo(url)
  t.teardown(() => connection.close())
  const numbers = onPostgresql
    ? `generate_series(1, ${MANY}) AS number (n)`
    : `(WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${MANY}) SELECT n FROM number)`
  await connection.query(`
    INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
    SELECT 'g' || n, 'n' || n, client_id, 'user' || n, response_type, scope, audience, is_silent, epoch, created_at, expires_at
    FROM access_grant, ${numbers}`)
  await add('a-user', 'first', 1)
  await add('z-user', 'second', 1)
  await add('z-user', 'third', 3)
  const found = await stores.directory.usersOf('shop.example')
  t.equal(found.length, 5_000)
  t.equal(found[0], 'z-user')
  t.notOk(found.includes('a-user'))
})
