import t from 'tap'
import type { EndedClientSession } from '../../src/stores/sessions/logout-queue.js'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql } from '../support/database.js'
import { build } from '../support/helper.js'
import { begin, register, startSession } from '../support/back-channel-logout/sessions.js'

export const onBothDatabases = true

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Sessions at apps whose logout token is not due. */
async function countLasting (url: string): Promise<number> {
  const connection = await connectTo(url)
  const [row] = await connection.query('SELECT COUNT(*) AS count FROM client_session WHERE due_at IS NULL')
  await connection.close()
  return Number(row?.count)
}

t.test('each of 100 logout tokens is claimed once, by replicas that ask at once; the clean-up removes what is never sent', async t => {
  const { stores, databaseUrl } = await build(t)
  const replica = await openStores(databaseUrl)
  const apps = times(5).map(i => `app-${i}`)
  for (const id of apps) await register(stores, id, 'https://app.example/logout')
  await Promise.all(times(20).map(() => startSession(stores, apps)))
  t.same(await stores.clientSessions.claim([]), [], 'nothing is due')
  await stores.users.endAccess((await stores.users.find('ann'))!.id)
  await Promise.all(times(10).map(i => (i % 2 === 0 ? stores : replica).clientSessions.markEnded()))
  const claimed: EndedClientSession[] = []
  for (let more = -1; more < claimed.length;) {
    more = claimed.length
    claimed.push(...(await Promise.all(times(16).map(i => (i % 2 === 0 ? stores : replica).clientSessions.claim([])))).flat())
  }
  await replica.close()
  t.equal(claimed.length, 100)
  t.equal(new Set(claimed.map(({ sid, clientId }) => `${sid} ${clientId}`)).size, 100)
  const [first, second] = claimed
  await stores.clientSessions.finish({ ...first!, attempts: 2 })
  await stores.clientSessions.retry(second!, new Date(0))
  t.match(await stores.clientSessions.claim([]), [{ sid: second!.sid, clientId: second!.clientId, attempts: 2 }], 'the others are claimed')
  await stores.clientSessions.retry({ ...second!, attempts: 2 }, new Date(0))
  t.same(await stores.clientSessions.claim([second!.clientId]), [], 'nor those of busy clients')
  const [hour, days] = [1, 48].map(hours => new Date(Date.now() + hours * 3_600_000))
  t.equal(await stores.removeExpired('client session', hour!), 0)
  t.equal(await stores.removeExpired('client session', days!), 100)
})

if (onPostgresql) {
  t.test('a session at an app waits for the transaction that ends its browser session, and then does not begin', async t => {
    const { stores, databaseUrl } = await build(t)
    await register(stores, 'app', 'https://app.example/logout')
    const idHash = await startSession(stores)
    const [operator, watch] = [await connectTo(databaseUrl), await connectTo(databaseUrl)]
    await operator.query('BEGIN')
    await operator.query(`DELETE FROM session WHERE id_hash = '${idHash}'`)
    const state = { isSettled: false }
    const begun = begin(stores, idHash, 'app', 0).finally(() => { state.isSettled = true })
    const isWaiting = async () =>
      (await watch.query("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).length > 0
    while (!state.isSettled && !await isWaiting());
    await operator.query('COMMIT')
    t.equal(await begun, false)
    for (const connection of [operator, watch]) await connection.close()
  })
}

t.test('while 16 apps that registered without a token are sent to, only others are claimed: they may all be slow', async t => {
  const { stores } = await build(t)
  const open = times(18).map(i => `open-${String(i).padStart(2, '0')}`)
  for (const id of open) await register(stores, id, 'https://slow.example/logout', { registeredBy: 'open' })
  for (const registeredBy of ['operator', 'token'] as const) await register(stores, registeredBy, 'https://app.example/logout', { registeredBy })
  await startSession(stores, [...open, 'operator', 'token'])
  await stores.users.endAccess((await stores.users.find('ann'))!.id)
  await stores.clientSessions.markEnded()
  t.same((await stores.clientSessions.claim(open.slice(0, 16))).map(({ clientId }) => clientId).sort(), ['operator', 'token'])
  t.same((await stores.clientSessions.claim(open.slice(0, 15))).map(({ clientId }) => clientId).sort(), open.slice(15))
})

t.test('apps with many sessions to end do not keep another one from its turn', async t => {
  const { stores } = await build(t)
  const slow = times(20).map(i => `slow-${i}`)
  for (const id of [...slow, 'z']) await register(stores, id, 'https://app.example/logout')
  await Promise.all(times(40).map(() => startSession(stores, slow)))
  await startSession(stores, ['z'])
  await stores.users.endAccess((await stores.users.find('ann'))!.id)
  while (await stores.clientSessions.markEnded());
  const claimed: string[] = []
  // Each of the slow apps has enough for ten times: 16 of 21 are claimed each time.
  for (let turn = 0; turn < 10; turn++) claimed.push(...(await stores.clientSessions.claim([])).map(({ clientId }) => clientId))
  t.ok(claimed.includes('z'))
})

t.test('whatever ends a session finds the sessions at apps that begin at that moment', async t => {
  const { stores, databaseUrl } = await build(t)
  await register(stores, 'app', 'https://app.example/logout')
  const { id: userId } = (await stores.users.find('ann'))!
  const ends: Array<[end: string, work: (idHash: string) => Promise<unknown>]> = [
    ['sign-out', idHash => stores.sessions.remove(idHash)],
    ['in another browser', idHash => stores.sessions.end(userId, idHash)],
    ['everywhere', () => stores.users.endAccess(userId)],
    ['access is removed', () => stores.authorizedApps.remove(userId, 'app')],
    ['the client is revoked', () => stores.clients.revoke('app')],
    ['erased', () => stores.users.remove('ann')]
  ]
  for (const [end, work] of ends) {
    const sessions = await Promise.all(times(12).map(() => startSession(stores)))
    const { grantEpoch: epoch } = (await stores.users.find('ann', 'app'))!
    const [begun] = await Promise.all([
      Promise.all(sessions.map(idHash => begin(stores, idHash, 'app', epoch))), Promise.all(sessions.map(work))
    ])
    await stores.clientSessions.markEnded()
    t.equal(await countLasting(databaseUrl), 0, `${end}: ${begun.filter(Boolean).length} of 12 had begun`)
  }
})
