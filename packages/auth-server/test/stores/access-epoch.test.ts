import { randomUUID } from 'node:crypto'
import t from 'tap'
import { issueTime } from '../../src/tokens/issue.js'
import { openStores } from '../../src/stores/stores.js'
import type { Stores } from '../../src/stores/stores.js'
import { connectTo, longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

const userId = randomUUID()

/** Every way to end access of Ann, of the app, or of Ann at the app. */
const ends: Record<string, (stores: Stores) => Promise<unknown>> = {
  'the person': stores => stores.users.endAccess(userId),
  'the client': stores => stores.clients.revoke('app'),
  'the person at the client': stores => stores.authorizedApps.remove(userId, 'app')
}

t.test('however often one person ends access, tokens of others are issued for a time that resource servers accept', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  for (const id of ['ann', 'bob']) await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
  for (let n = 0; n < 100; n++) await stores.authorizedApps.remove('ann', 'app')
  await stores.clients.revoke('app')
  await stores.users.endAccess('bob')
  const now = stores.clock.now()
  const { epoch } = (await stores.users.find('bob'))!
  const grant = {
    id: 'g',
    nonceHash: 'g',
    clientId: 'app',
    userId: 'bob',
    responseType: 'token',
    scope: 'a',
    audience: 'api',
    createdAt: now,
    expiresAt: now,
    isSilent: false
  }
  const given = await stores.grants.add({ ...grant, epoch: epoch + 1 })
  t.ok(given?.notBefore, 'the sum of both ends')
  const ahead = (given!.notBefore!.getTime() - now.getTime()) / 1_000
  t.ok(ahead < 25, `${ahead} s ahead`)
  t.ok(issueTime(now, given!.notBefore) < given!.notBefore!, 'an end that follows revokes what is issued now')
})

t.test('a token that was issued after access ended, for whatever group, is revoked when access ends again', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  await stores.users.add({ id: userId, username: 'ann', passwordHash: 'x', demo: false })
  const connection = await connectTo(url)
  t.teardown(() => connection.close())
  const latest = async () => {
    const [row] = await connection.query('SELECT MAX(CAST(not_before AS TEXT)) AS time FROM revocation')
    return Date.parse(`${String(row?.time).replace(' ', 'T').replace('+00:00', '')}Z`)
  }
  for (const [first, endFirst] of Object.entries(ends)) {
    for (const [second, endSecond] of Object.entries(ends)) {
      await endFirst(stores)
      // A token issued now has at most this `iat`.
      const issued = await latest()
      await endSecond(stores)
      t.ok(await latest() > issued, `${first}, then ${second}`)
    }
  }
})
