import t from 'tap'
import { codeClient, codeQuery } from '../support/code-flow.js'
import { connectTo, copyClient, onPostgresql } from '../support/database.js'
import { Browser, build, client, query, formTokenOf, type Built } from '../support/helper.js'

export const onBothDatabases = true

const MANY = 100_000

/** Fills the database with live grants of Ann, in turn of each of some apps. */
async function fill ({ databaseUrl }: Built, apps: number, scope = "'customer:read'") {
  const connection = await connectTo(databaseUrl)
  const series = (count: number) => onPostgresql
    ? `SELECT i FROM generate_series(1, ${count}) AS series (i)`
    : `SELECT i FROM (WITH RECURSIVE series (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM series WHERE i < ${count}) SELECT i FROM series)`
  const time = (seconds: string) => onPostgresql
    ? `(now() AT TIME ZONE 'UTC' + (${seconds}) * interval '1 second')::timestamp(3)`
    : `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', (${seconds}) || ' seconds')`
  await copyClient(connection, 'app', series(apps), { id: "'app-' || i", name: "'App ' || i" })
  await connection.query(`
    INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
    SELECT 'grant-' || i, 'nonce-' || i, 'app-' || (1 + i % ${apps}), (SELECT id FROM user_account WHERE username_key = 'ann'), 'code', ${scope}, 'https://api.example', false, 0, ${time('-i / 100')}, ${time('86400 - i / 100')}
    FROM (${series(MANY)}) AS number`)
  if (onPostgresql) await connection.query('ANALYZE')
  await connection.close()
}

/** Opens the account page some times; gives it and the shortest time, in milliseconds. */
async function openAccount (browser: Browser) {
  let [shortest, page] = [Infinity, await browser.get('/account')]
  for (let i = 0; i < 10; i++) {
    const start = performance.now()
    page = await browser.get('/account')
    shortest = Math.min(shortest, performance.now() - start)
  }
  return { page, shortest }
}

for (const apps of [1, 1_000]) {
  t.test(`with ${MANY} live grants of ${apps} apps the account page is served at once and lists at most 100`, async t => {
    const built = await build(t)
    await fill(built, apps)
    const browser = new Browser(built.app)
    await browser.post('/account', {
      transaction: formTokenOf(await browser.get('/account')),
      decision: 'sign-in',
      username: 'ann',
      password: 'correct horse'
    })
    const { page, shortest } = await openAccount(browser)
    t.equal(page.statusCode, 200)
    t.equal(page.body.match(/value="remove"/g)?.length, Math.min(apps, 100))
    t.equal(page.body.includes('More apps have access'), apps > 100)
    t.ok(shortest < 2_000, `${Math.round(shortest)} ms`)
    t.comment(`${apps} apps: ${Math.round(shortest)} ms`)
  })
}

t.test('an app that asks for another scope each time is read as far as a bound', async t => {
  const built = await build(t)
  await fill(built, 1, "'customer:read x' || i")
  const { id } = (await built.stores.users.find('ann'))!
  const start = performance.now()
  const { authorizedApps } = await built.stores.authorizedApps.of(id, new Date(), 600)
  t.ok(performance.now() - start < 10_000)
  t.match(authorizedApps, [{ client: { id: 'app-1' }, scope: ['customer:read'] }])
  t.equal(authorizedApps.length, 1)
})

t.test('the list shows what is live: not what was revoked, has expired, or belongs to a disabled app', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  await stores.clients.put(codeClient())
  await stores.clients.put(client({ id: 'other', name: 'Other' }))
  await browser.allow(codeQuery({ scope: 'customer:read unknown' }))
  await browser.allow(query({ client_id: 'other', scope: 'customer:write' }), {})
  await browser.allow(query({ client_id: 'other', scope: 'customer:read' }), {})
  const { id } = (await stores.users.find('ann'))!
  const shown = async (now = new Date()) =>
    (await stores.authorizedApps.of(id, now, 600)).authorizedApps.map(({ client, scope, isRemembered }) => [
      client.id,
      scope,
      isRemembered
    ])
  t.same(await shown(), [['other', ['customer:read', 'customer:write'], false], ['app', ['customer:read'], true]])
  t.same(await shown(new Date(Date.now() + 3_600_000)), [['app', ['customer:read'], true]], 'what is remembered stays')
  await stores.clients.setDisabled('app', new Date())
  t.same(await shown(), [['other', ['customer:read', 'customer:write'], false]])
  await stores.authorizedApps.remove(id, 'other')
  t.same(await shown(), [])
  t.same(await stores.authorizedApps.of('no person', new Date(), 600), { authorizedApps: [], more: false })
})

t.test('the last use of an app by each of some users is that of its live grants', async t => {
  const built = await build(t)
  const { stores, app } = built
  const ann = (await stores.users.find('ann'))!.id
  const lastUses = async () => await stores.authorizedApps.lastUses('app', [ann, 'unknown'])
  t.equal((await lastUses()).size, 0)
  const before = Date.now()
  await new Browser(app).allow()
  const first = (await lastUses()).get(ann)
  t.ok(first!.getTime() >= before - 1_000 && first!.getTime() <= Date.now() + 1_000)
  t.equal((await stores.authorizedApps.lastUses('app', [])).size, 0)
  t.equal((await stores.authorizedApps.lastUses('other', [ann])).size, 0)
  await stores.authorizedApps.remove(ann, 'app')
  t.equal((await lastUses()).size, 0)
})
