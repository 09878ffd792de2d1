import { readFileSync } from 'node:fs'
import t from 'tap'
import { MIGRATIONS, openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../database.js'
import { client } from '../helper.js'

export const onBothDatabases = true

t.test('the migration takes the scopes that had no effect out of consent and tokens, and nothing else', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: '$', demo: false })
  const database = await connectTo(url)
  t.teardown(() => database.close())
  const scopes: Array<[before: string, after: string]> = [
    ['openid', ''],
    ['openid profile email offline_access', ''],
    ['customer:read openid customer:write', 'customer:read customer:write'],
    ['email openid a profile openid:x myemail', 'a openid:x myemail'],
    ['a b', 'a b']
  ]
  for (const [index, [scope]] of scopes.entries()) {
    await database.query(`INSERT INTO refresh_token (hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at)
      VALUES ('${index}', 'g', 'app', 'ann', '${scope}', 'a', '2030-01-01', '2030-01-01', '2030-01-01', '2030-01-01')`)
  }
  for (const scope of ['openid', 'email', 'customer:read']) {
    await database.query(`INSERT INTO consent (user_id, client_id, audience, scope, allowed_at) VALUES ('ann', 'app', 'a', '${scope}', '2030-01-01')`)
  }
  const file = new URL(`${onPostgresql ? 'postgresql' : 'sqlite'}/20261123100000_openid_connect/migration.sql`, MIGRATIONS)
  const statements = readFileSync(file, 'utf8').replaceAll(/^--.*$/gm, '').split(';').filter(it => /^\s*(UPDATE|DELETE)/.test(it))
  t.equal(statements.length, 3)
  for (const statement of statements) await database.query(statement)
  t.same((await database.query('SELECT scope FROM refresh_token ORDER BY hash')).map(({ scope }) => scope), scopes.map(([, after]) => after))
  t.same((await database.query('SELECT scope FROM consent')).map(({ scope }) => scope), ['customer:read'])
})
