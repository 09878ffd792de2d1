import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { backUp } from '@frontdesk/database/backup'
import { MIGRATIONS, openStores } from '../../src/stores/stores.js'
import { rowsRemoved } from '../../src/telemetry/events.js'
import { connectTo, emptyDatabase, onPostgresql, longTimeouts, sqliteFile } from '../support/database.js'
import { Browser, build, CALLBACK, client, query } from '../support/helper.js'

export const onBothDatabases = true

t.test('while another process locks the database the answer is a 503 page within 3 s, and nothing is half done', async t => {
  const { app, databaseUrl } = await build(t, { DATABASE_STATEMENT_TIMEOUT: '1500' })
  const browser = new Browser(app)
  await browser.allow()
  const transaction = await browser.consent()
  const other = await connectTo(databaseUrl)
  await other.query(onPostgresql ? 'BEGIN' : 'BEGIN IMMEDIATE')
  if (onPostgresql) await other.query('LOCK TABLE access_grant')
  const begun = Date.now()
  const refused = await Promise.all(
    Array.from({ length: 8 }, () => browser.post(`/consent?${query()}`, { transaction, decision: 'allow' }))
  )
  for (const response of refused) {
    t.equal(response.statusCode, 503)
    t.ok(response.headers['retry-after'])
    t.match(response.body, 'The database is unavailable right now.')
    t.equal(response.headers.location, undefined)
  }
  t.ok(Date.now() - begun < 3_000, `${Date.now() - begun} ms`)
  t.equal((await app.inject(`/authorize?${query()}`)).statusCode, 302, 'reading goes on')
  await other.query('ROLLBACK')
  await other.close()
  t.equal(
    (await browser.post(`/consent?${query()}`, { transaction, decision: 'allow' })).statusCode,
    303,
    'the same form goes through, without a restart'
  )
})

t.test('migrating again changes nothing; a database of another build is refused', async t => {
  const url = await emptyDatabase(t)
  await (await openStores(url, longTimeouts)).close()
  await (await openStores(url, longTimeouts)).close()
  const database = await connectTo(url)
  const folders = readdirSync(new URL('sqlite/', MIGRATIONS), { withFileTypes: true }).filter(it => it.isDirectory())
  t.equal((await database.query('SELECT * FROM _prisma_migrations')).length, folders.length)
  await database.query("UPDATE _prisma_migrations SET checksum = 'x'")
  await database.close()
  await t.rejects(openStores(url, longTimeouts), { message: /was made by another build: the migration \d+_init differs from this build's/ })
})

t.test('a database that the next release has migrated is used as it is, also one from a backup', async t => {
  const { databaseUrl: url } = await build(t)
  const database = await connectTo(url)
  await database.query('ALTER TABLE client ADD COLUMN of_next_release TEXT')
  await database.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('next', 'x', '29991231000000_next', CURRENT_TIMESTAMP)"
  )
  const { app } = await build(t, { DATABASE_URL: await copyOf(t, url) })
  t.equal((await new Browser(app).allow()).statusCode, 303)
  t.equal((await database.query("SELECT 1 FROM _prisma_migrations WHERE migration_name LIKE '2999%'")).length, 1)
  await database.close()
})

/** What a backup of a SQLite database holds; PostgreSQL's is opened itself. */
async function copyOf (t: Test, url: string) {
  if (onPostgresql) return url
  const file = sqliteFile(t).slice('file:'.length)
  await backUp(url, file)
  return `file:${file}`
}

if (onPostgresql) {
  t.test('a database of another encoding, or one that can only be read, is refused in a sentence', async t => {
    const url = await emptyDatabase(t)
    const name = new URL(url).pathname.slice(1)
    const admin = await connectTo(process.env.TEST_DATABASE_URL ?? '')
    await admin.query(`CREATE DATABASE ${name}_latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
    t.teardown(async () => {
      await admin.query(`DROP DATABASE ${name}_latin WITH (FORCE)`)
      await admin.close()
    })
    await t.rejects(openStores(`${url}_latin`), { message: /^The database has the encoding LATIN1\. Create one with UTF8/ })
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await t.rejects(openStores(url, longTimeouts), {
      message: 'PostgreSQL is read-only: it is a standby, or configured so. Set DATABASE_URL to the primary.'
    })
  })

  t.test('who waits for another that migrates says so', async t => {
    const url = await emptyDatabase(t)
    const other = await connectTo(url)
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(72707369)')
    const { error } = console
    t.teardown(() => { console.error = error })
    const said = new Promise(resolve => { console.error = resolve })
    const opening = openStores(url, longTimeouts)
    t.match(await said, /^Waiting for another process that migrates this database\./)
    await other.query('ROLLBACK')
    await other.close()
    await (await opening).close()
  })
}

t.test('clean-up removes what has ended and keeps what has not', async t => {
  const { app, stores, databaseUrl } = await build(t)
  await new Browser(app).allow()
  await new Browser(app, '192.0.2.9').allow(query(), { username: 'ann', password: 'wrong' })
  const inAnHour = new Date(Date.now() + 60 * 60_000)
  await stores.spentIds.add('assertion', inAnHour)
  await stores.pushedRequests.add({ hash: 'x', clientId: 'app', sealed: 'x' })
  await stores.revocations.add({ id: 'grant', revokedAt: new Date(), endsAt: inAnHour })
  const granted = {
    grantId: 'grant', clientId: 'app', userId: 'x', scope: '', audience: 'x', authTime: new Date(), amr: 'pwd', createdAt: new Date(), expiresAt: inAnHour
  }
  await stores.codes.add({ ...granted, hash: 'code', redirectUri: CALLBACK, callbackNamed: true, codeChallenge: 'x' })
  const waiting = { clientId: 'app', scope: '', audience: 'x', pollInterval: 5, createdAt: new Date(), expiresAt: inAnHour }
  await stores.deviceCodes.add({ ...waiting, acrValues: '', maxAge: null, hash: 'device', userCodeHash: 'user' })
  await stores.registrationTokens.add({ id: '1', hash: 'x', usesLeft: 1, grantTypes: ['x'], allowedScope: null, createdAt: new Date(), expiresAt: inAnHour })
  await stores.signUpCodes.add({ id: '1', hash: 'x', label: 'x', usesLeft: 1, role: null, userId: null, clientId: null, createdAt: new Date(), expiresAt: inAnHour })
  t.equal(await stores.clientSessions.beginOnDevice('device', (await stores.users.find('ann'))!.id, { clientId: 'app', epoch: 0, endsAt: inAnHour }), true)
  const database = await connectTo(databaseUrl)
  const time = `'${inAnHour.toISOString().replace('Z', '+00:00')}'`
  await database.query(`INSERT INTO refresh_token (family_hash, hash, spent, grant_id, client_id, user_id, scope, audience, auth_time, amr, created_at, expires_at, ends_at)
    VALUES ('refresh', 'refresh', '[]', 'grant', 'app', 'x', '', 'x', ${time}, 'pwd', ${time}, ${time}, ${time})`)
  await database.query(`INSERT INTO admin_request (id, fingerprint, expires_at) VALUES ('x', 'x', ${time})`)
  await database.query(`INSERT INTO console_session (id_hash, user_id, sid, epoch, auth_time, amr, last_seen_at, expires_at) SELECT 'console', id, 'x', 0, ${time}, 'pwd', ${time}, ${time} FROM user_account`)
  await database.query(`INSERT INTO trusted_browser (id_hash, user_id, epoch, created_at, last_used_at, expires_at) SELECT 'trusted', id, 0, ${time}, ${time}, ${time} FROM user_account`)
  const tables = ['session', 'console_session', 'trusted_browser', 'access_grant', 'throttle', 'authorization_code', 'device_code', 'client_session', 'refresh_token', 'pushed_request', 'spent_id', 'registration_token', 'sign_up_code', 'admin_request', 'revocation']
  const count = async () => {
    const rows = await database.query(`SELECT ${tables.map(table => `(SELECT count(*) FROM ${table}) AS ${table}s`).join(', ')}`)
    return Object.values(rows[0]!).map(Number)
  }
  const before = await count()
  t.same(before.filter((_, index) => index !== tables.indexOf('throttle')), tables.slice(1).map(() => 1))
  const told = new Map<string, number>()
  t.teardown(rowsRemoved.subscribe(({ table, rows }) => told.set(table, (told.get(table) ?? 0) + rows)))
  await cleanUp(stores, new Date())
  t.same(await count(), before)
  t.same(
    [...told],
    [
      ...['session', 'console session', 'trusted browser', 'grant'].map(name => [name, 0]),
      ['throttle', 0],
      ['code', 0],
      ...['device code', 'client session'].map(name => [name, 0]),
      ['refresh token', 0],
      ['pushed request', 0],
      ['spent id', 0],
      ['registration token', 0],
      ['sign-up code', 0],
      ['admin request', 0],
      ['revocation', 0],
      ['client', 0]
    ]
  )
  await cleanUp(stores, new Date(Date.now() + 26 * 60 * 60_000))
  t.same(await count(), tables.map(() => 0))
  told.delete('client')
  t.same([...told.values()], before, 'what was removed is told')
  await database.close()
})

t.test('one replica at a time cleans up; another takes over when it is gone', async t => {
  const url = await emptyDatabase(t)
  const stores = await openStores(url, longTimeouts)
  const database = await connectTo(url)
  const day = 24 * 60 * 60_000
  const take = (replica: string) => stores.leases.take('clean-up', replica)

  const end = (ms: number) =>
    database.query(`UPDATE lease SET ends_at = '${new Date(Date.now() + ms).toISOString().replace('Z', '+00:00')}'`)
  const first = await Promise.all(['a', 'b', 'c', 'd'].map(async replica => await take(replica) ? replica : ''))
  t.equal(first.filter(replica => replica !== '').length, 1, 'of four at once, one')
  const [holder = ''] = first.filter(replica => replica !== '')
  t.equal(await take('another'), false)
  t.equal(await take(holder), true, 'the same goes on')
  await end(60_000)
  t.equal(await take('another'), false)
  await end(-1_000)
  t.equal(await take('another'), true, 'the first has missed its turn')
  t.equal(await take(holder), false)
  await end(100 * day)
  t.equal(await take(holder), true, 'a lease that a wrong clock has taken for months is free')
  t.equal(await take('another'), false)
  await database.close()
  await stores.close()
})

t.test('a client put by many at once is there once, as the last one says', async t => {
  const url = await emptyDatabase(t)
  const stores = await openStores(url, longTimeouts)
  await Promise.all(
    Array.from({ length: 4 }, () => stores.clients.put(client({ callbacks: ['https://a.example/cb', 'https://b.example/cb'] })))
  )
  await stores.clients.put(client({ name: 'Renamed' }))
  t.match(await stores.clients.list(), [{ id: 'app', name: 'Renamed', callbacks: [CALLBACK] }])
  await stores.close()
})
