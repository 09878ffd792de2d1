import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { MAX_SILENT_GRANTS } from '../../src/stores/grants/grant-bounds.js'
import { openStores } from '../../src/stores/stores.js'
import { CHALLENGE } from '../support/code-flow.js'
import { connectTo, longTimeouts, temporaryDatabase } from '../support/database.js'
import { CALLBACK, client } from '../support/helper.js'

export const onBothDatabases = true

/** A person who has allowed an app a scope, and what gives grants. */
async function allowed (t: Test) {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  const userId = randomUUID()
  await stores.users.add({ id: userId, username: 'ann', passwordHash: 'x', demo: false })
  const begun = Date.now() - 1_000_000
  const at = (seconds: number) => new Date(begun + seconds * 1_000)
  const give = async (id: string, seconds: number, isSilent = true) => {
    const createdAt = at(seconds)
    const scope = 'a%b c_d'
    return await stores.grants.add({
      id,
      nonceHash: id,
      clientId: 'app',
      userId,
      responseType: 'code',
      scope,
      audience: 'api',
      createdAt,
      expiresAt: new Date(Date.now() + 60_000),
      epoch: 0,
      isSilent
    })
  }
  const consent = async (scope: string[]) =>
    await stores.consents.add({ userId, clientId: 'app', audience: 'api', scope, allowedAt: new Date(), nonceHash: 'asked' })
  await give('asked', 0, false)
  const connection = await connectTo(url)
  t.teardown(() => connection.close())
  const kept = async () => (await connection.query('SELECT id FROM access_grant')).map(({ id }) => `${id}`)
  return { stores, give, consent, kept, userId, connection, at }
}

t.test('a silent grant needs every scope in the memory of consent, byte for byte', async t => {
  const { stores, give, consent, userId } = await allowed(t)
  t.equal(await give('1', 1), null, 'nothing is remembered')
  await consent(['a%b', 'cxd', 'c_', '_d', 'a'])
  t.equal(await give('2', 2), null, 'other names')
  await consent(['c_d'])
  t.ok(await give('3', 3))
  await stores.authorizedApps.remove(userId, 'app')
  t.equal(await give('4', 4), null, 'access is removed')
})

t.test('an app that signs in silently all day leaves a bounded number of grants: those used last stay', async t => {
  const { give, consent, kept, connection } = await allowed(t)
  await consent(['a%b', 'c_d'])
  await give('used', 1)
  // A refresh token that was renewed late: the grant is in use.
  const time = (at: number) => `'${new Date(Date.now() + at * 1_000).toISOString().replace('Z', '+00:00')}'`
  await connection.query(`INSERT INTO refresh_token (family_hash, hash, spent, grant_id, client_id, user_id, scope, audience, auth_time, amr, created_at, expires_at, ends_at)
    VALUES ('r', 'r', '[]', 'used', 'app', 'x', '', '', ${time(0)}, 'pwd', ${time(100)}, ${time(900)}, ${time(900)})`)
  for (let i = 0; i < MAX_SILENT_GRANTS + 30; i++) await give(`silent-${i}-01`, 10 + i)
  t.equal((await kept()).length, MAX_SILENT_GRANTS + 32, 'none of them has looked')
  await give('looks-00', 70 + MAX_SILENT_GRANTS + 30)
  const left = await kept()
  t.equal(left.length, MAX_SILENT_GRANTS + 2)
  t.ok(left.includes('asked'), 'one that a person allowed')
  t.ok(left.includes('used'), 'one whose refresh token was used since')
  t.ok(left.includes(`silent-${MAX_SILENT_GRANTS + 29}-01`))
  t.notOk(left.includes('silent-0-01'))
  await Promise.all(Array.from({ length: 40 }, (_, i) => give(`at-once-${i}-00`, 500 + i)))
  t.equal((await kept()).length, MAX_SILENT_GRANTS + 41, 'also at once, but for those of the last minute')
})

t.test('256 flows at once lose no code: the grants of the last minute stay, and are bounded by a later one', async t => {
  const { stores, give, consent, kept, userId, at } = await allowed(t)
  await consent(['a%b', 'c_d'])
  const flows = Array.from({ length: 256 }, (_, index) => `${index}-${(index % 256).toString(16).padStart(2, '0')}`)
  const bound = { clientId: 'app', codeChallenge: CHALLENGE }
  await Promise.all(flows.map(async id => {
    const code = { ...bound, grantId: id, userId, redirectUri: CALLBACK, callbackNamed: true, scope: 'a%b c_d', audience: 'api' }
    const times = { authTime: at(0), amr: 'pwd', createdAt: at(1), expiresAt: at(61) }
    await Promise.all([stores.codes.add({ ...code, ...times, hash: id }), give(id, 1)])
  }))
  const yields = { refreshToken: null, grantEndsAt: at(3_000), tokensEndAt: at(3_000) }
  const exchange = (hash: string) => stores.codes.exchange({ ...bound, hash, redirectUri: CALLBACK, audience: undefined }, yields, at(60))
  t.same((await Promise.all(flows.map(exchange))).filter(it => it === null), [])
  await give('later-00', 62)
  t.equal((await kept()).length, MAX_SILENT_GRANTS + 2, 'with the one that asked, and the latest')
})

t.test('the number is bounded, too, for an app that asks for thousands, 500 at once', async t => {
  const { give, consent, kept } = await allowed(t)
  await consent(['a%b', 'c_d'])
  await Promise.all(Array.from({ length: 500 }, async (_, lane) => {
    for (let round = 0; round < 6; round++) await give(`${lane}-${round}-${randomUUID().slice(-2)}`, round)
  }))
  // A look removes 2,048 at most.
  for (const id of ['first-00', 'second-00']) await give(id, 70)
  t.equal((await kept()).length, MAX_SILENT_GRANTS + 3)
})
