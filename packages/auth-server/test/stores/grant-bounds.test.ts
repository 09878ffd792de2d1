import { randomUUID } from 'node:crypto'
import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import t, { type Test } from 'tap'
import { FORM_TOKEN_TTL } from '../../src/lifetimes.js'
import { createGrantLimit, MAX_REFRESHABLE_GRANTS, MAX_SILENT_GRANTS } from '../../src/stores/grants/grant-bounds.js'
import { onPostgresql } from '../support/database.js'
import { client } from '../support/helper.js'
import { lastStatement, OPTIONS, plansOf } from '../support/stores/plans.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const HALF_HOUR = FORM_TOKEN_TTL * 1_000
const NOW = Date.now()
/** SQL of a time, in milliseconds from now. */
const at = (ms: number) => `'${new Date(NOW + ms).toISOString().replace('Z', '+00:00')}'`
const APPS = 20
const numbers = (count: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`

/** People, two replicas, and what adds grants with their refresh tokens. */
async function begin (t: Test) {
  const { url, stores, other, direct } = await twoReplicas(t)
  for (let i = 0; i < APPS; i++) await stores.clients.add(client({ id: `app${i}` }))
  const add = async (id: string) => await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
  for (const id of ['ann', 'bob']) await add(id)
  /** Adds used grants. @param user SQL of the person @param clientId SQL of the app @param ms when they were given */
  const fill = async (prefix: string, count: number, { user = "'ann'", clientId = `'app' || (i % ${APPS})`, ms = -2 * HALF_HOUR, refreshes = true } = {}) => {
    const row = `(${numbers(count)}) AS number`
    await direct.query(`INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
      SELECT '${prefix}' || i, '${prefix}' || i, ${clientId}, ${user}, 'code', 'x', 'api', false, 0, ${at(ms)}, ${at(90 * 86_400_000)} FROM ${row}`)
    if (!refreshes) return
    await direct.query(`INSERT INTO refresh_token (family_hash, hash, spent, grant_id, client_id, user_id, scope, audience, auth_time, amr, created_at, expires_at, ends_at)
      SELECT '${prefix}' || i, '${prefix}' || i, '[]', '${prefix}' || i, ${clientId}, ${user}, 'x', 'api', ${at(ms)}, 'pwd', ${at(ms)},
        ${at(90 * 86_400_000)}, ${at(90 * 86_400_000)} FROM ${row}`)
  }
  const use = async (id: string) => { await direct.query(`UPDATE refresh_token SET created_at = ${at(0)} WHERE family_hash = '${id}'`) }
  const grant = (id: string, nonceHash = id) => ({
    id,
    nonceHash,
    clientId: 'app0',
    userId: 'ann',
    responseType: 'code',
    scope: 'x',
    audience: 'api',
    createdAt: new Date(NOW),
    expiresAt: new Date(NOW + HALF_HOUR),
    epoch: 0,
    isSilent: false
  })
  const held = async (table: string, user = 'ann') =>
    (await direct.query(`SELECT ${table === 'access_grant' ? 'id' : 'grant_id AS id'} FROM ${table} WHERE user_id = '${user}'`)).map(({ id }) => `${id}`)
  return { url, direct, stores, other, fill, use, grant, held }
}

t.test('a person has at most 1,000 grants with a refresh token over all apps: the least recently used go, and nobody else’s', async t => {
  const { stores, direct, fill, use, grant, held } = await begin(t)
  await fill('pending', 50, { refreshes: false })
  await fill('old', 60)
  await fill('more', MAX_REFRESHABLE_GRANTS, { ms: -HALF_HOUR - 60_000 })
  await fill('bob', MAX_REFRESHABLE_GRANTS + 60, { user: "'bob'" })
  await use('old7')
  for (const sid of ['old7', 'old8']) {
    await stores.clientSessions.beginOnDevice(sid, 'ann', { clientId: 'app1', epoch: 0, endsAt: new Date(NOW + HALF_HOUR) })
  }
  await stores.grants.add(grant('quiet-01'))
  t.equal((await held('refresh_token')).length, MAX_REFRESHABLE_GRANTS + 60, 'this one has not looked')
  t.ok(await stores.grants.add(grant('looks-00')))
  const left = await held('refresh_token')
  t.equal(left.length, MAX_REFRESHABLE_GRANTS)
  t.same(left.filter(id => id.startsWith('old')), ['old7'], 'used since')
  t.equal((await held('access_grant')).length, MAX_REFRESHABLE_GRANTS + 52, 'with those that have no refresh token')
  t.equal((await held('refresh_token', 'bob')).length, MAX_REFRESHABLE_GRANTS + 60)
  t.same(await direct.query('SELECT sid FROM client_session WHERE due_at IS NOT NULL'), [{ sid: 'old8' }], 'the app of a device is told')
  t.equal(await stores.refreshTokens.find({ hash: 'old1', familyHash: 'old1' }, new Date(NOW)), null)
  t.ok(await stores.refreshTokens.find({ hash: 'old7', familyHash: 'old7' }, new Date(NOW)))
})

t.test('a grant whose page can still be used stays, so that its nonce is spent once; a later one removes it', async t => {
  const { stores, direct, fill, grant, held } = await begin(t)
  await fill('fresh', 100, { ms: -HALF_HOUR + 1 })
  // Used later than they were given.
  await fill('used', MAX_REFRESHABLE_GRANTS, { ms: -2 * HALF_HOUR })
  await direct.query(`UPDATE refresh_token SET created_at = ${at(0)} WHERE grant_id LIKE 'used%'`)
  await stores.grants.add(grant('looks-00'))
  t.equal((await held('refresh_token')).length, MAX_REFRESHABLE_GRANTS + 100)
  t.equal(await stores.grants.add(grant('again-00', 'fresh1')), null, 'the nonce is spent')
  await stores.grants.add({ ...grant('later-00'), createdAt: new Date(NOW + 2) })
  t.equal((await held('refresh_token')).length, MAX_REFRESHABLE_GRANTS)
})

t.test('silent grants that a check removes do not count among the 1,000, also if they were used just before', async t => {
  const { stores, direct, fill, grant, held } = await begin(t)
  await fill('old', MAX_REFRESHABLE_GRANTS + 50)
  await fill('silent', MAX_SILENT_GRANTS + 200, { clientId: "'app0'", ms: -HALF_HOUR - 60_000 })
  await direct.query("UPDATE access_grant SET is_silent = true WHERE id LIKE 'silent%'")
  await direct.query(`UPDATE refresh_token SET created_at = ${at(-60_000)} WHERE grant_id LIKE 'silent1%'`)
  await stores.grants.add(grant('looks-00'))
  const left = await held('refresh_token')
  t.equal(left.length, MAX_REFRESHABLE_GRANTS)
  t.equal(left.filter(id => id.startsWith('silent')).length, MAX_SILENT_GRANTS)
})

t.test('a grant that is used between the look and the removal stays', async t => {
  const { url, direct, stores, fill, use, grant, held } = await begin(t)
  await fill('old', 50)
  await fill('more', MAX_REFRESHABLE_GRANTS, { ms: -HALF_HOUR - 60_000 })
  for (const sid of ['old7', 'old8']) {
    await stores.clientSessions.beginOnDevice(sid, 'ann', { clientId: 'app1', epoch: 0, endsAt: new Date(NOW + HALF_HOUR) })
  }
  const connection = await connect(url, OPTIONS)
  t.teardown(connection.close)
  const run: Connection['run'] = async statement => {
    const rows = await connection.run(statement)
    await use('old7')
    return rows
  }
  await createGrantLimit({ ...connection, run })(grant('looks-00'))
  for (const table of ['refresh_token', 'access_grant']) {
    const left = await held(table)
    t.equal(left.length, MAX_REFRESHABLE_GRANTS + 1, table)
    t.same(left.filter(id => id.startsWith('old')), ['old7'], table)
  }
  t.same(await direct.query('SELECT sid FROM client_session WHERE due_at IS NOT NULL'), [{ sid: 'old8' }])
})

if (onPostgresql) {
  t.test('a locked row does not fail a grant whose nonce is spent: a later check removes the surplus', async t => {
    const { stores, direct, fill, grant, held } = await begin(t)
    await fill('old', MAX_REFRESHABLE_GRANTS + 50)
    await direct.query("BEGIN; SELECT 1 FROM refresh_token WHERE grant_id = 'old1' FOR UPDATE")
    t.ok(await stores.grants.add(grant('looks-00')))
    await direct.query('ROLLBACK')
    t.equal((await held('refresh_token')).length, MAX_REFRESHABLE_GRANTS + 50)
    await stores.grants.add(grant('later-00'))
    t.equal((await held('refresh_token')).length, MAX_REFRESHABLE_GRANTS)
  })
}

t.test('1,000 grants at once on two replicas, while others are used, leave 1,000; those in use stay, also past every lifetime', async t => {
  const { stores, other, fill, use, grant, held } = await begin(t)
  await fill('old', 3 * MAX_REFRESHABLE_GRANTS)
  const inUse = Array.from({ length: 50 }, (_, i) => `old${i + 1}`)
  for (const id of inUse) await use(id)
  const rotate = (id: string, replica: typeof stores) => replica.refreshTokens.rotate({
    hash: id,
    familyHash: id,
    clientId: `app${Number(id.slice(3)) % APPS}`,
    next: { salt: 'salt', hash: `${id} next` },
    now: new Date(NOW),
    expiresAt: new Date(NOW + HALF_HOUR),
    tokensEndAt: new Date(NOW + HALF_HOUR)
  })
  const given = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? stores : other).grants.add(grant(`${randomUUID().slice(0, -2)}${(i % 256).toString(16).padStart(2, '0')}`)))
  const used = inUse.flatMap(id => [rotate(id, stores), rotate(id, other)])
  t.notOk((await Promise.all(given)).includes(null))
  t.same(new Set((await Promise.all(used)).map(({ state }) => state)), new Set(['granted']))
  for (const id of ['first-00', 'second-00']) await stores.grants.add(grant(id))
  const left = await held('refresh_token')
  t.equal(left.length, MAX_REFRESHABLE_GRANTS)
  t.same(inUse.filter(id => !left.includes(id)), [])
  const end = new Date(NOW + 400 * 86_400_000)
  await stores.removeExpired('refresh token', end)
  await stores.removeExpired('grant', end)
  t.equal((await rotate('old3000', stores)).state, 'unusable')
  t.same([...await held('refresh_token'), ...await held('access_grant')], [])
})

t.test('a device that a person allows looks, too', async t => {
  const { stores, fill, grant, held } = await begin(t)
  await fill('old', MAX_REFRESHABLE_GRANTS + 10)
  const [now, expiresAt] = [new Date(NOW), new Date(NOW + 60_000)]
  const request = { clientId: 'app0', scope: 'x', audience: 'api', acrValues: '', maxAge: null }
  await stores.deviceCodes.add({ ...request, hash: 'd', userCodeHash: 'u', pollInterval: 5, createdAt: now, expiresAt })
  t.equal(await stores.deviceCodes.allow('u', { ...grant('device-00'), responseType: 'device_code' }, { authTime: now, amr: 'pwd' }, now), 'allowed')
  t.equal((await held('refresh_token')).length, MAX_REFRESHABLE_GRANTS)
})

t.test('the look reads the rows of the person from indexes, among 100,000 grants of others', async t => {
  const { url, direct, fill, grant } = await begin(t)
  await fill('other', 100_000, { user: "'user' || (i % 5000)" })
  if (onPostgresql) await direct.query('VACUUM ANALYZE')
  const { sql, args } = await lastStatement(url, connection => createGrantLimit(connection)(grant('looks-00')))
  const values = args.map(value => value instanceof Date ? at(value.getTime() - NOW) : typeof value === 'number' ? `${value}` : `'${value}'`)
  for (const plan of await plansOf(sql, values, direct.query)) {
    t.match(plan, /refresh_token_user_id_created_at_idx/, plan)
    t.notMatch(plan, /SCAN (access_grant|refresh_token)\b|Seq Scan on (access_grant|refresh_token)/, plan)
  }
})
