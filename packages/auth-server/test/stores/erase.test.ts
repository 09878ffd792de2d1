import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, tablesNaming, temporaryDatabase } from '../support/database.js'
import { anyone } from '../support/factors.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

t.test('of a person who is removed no row is left that names them, of others nothing is', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  const ids: string[] = []
  for (const username of ['Umayalini', 'Bob']) {
    const email = `${username}@mail.example`
    await stores.users.add({ id: randomUUID(), username, passwordHash: 'x', demo: false, name: `${username} Example`, email })
    const user = (await stores.users.find(username))!
    const now = new Date()
    const [id, expiresAt] = [randomUUID(), new Date(now.getTime() + 60_000)]
    const granted = { clientId: 'app', userId: user.id, scope: 'a', audience: 'api', createdAt: now, expiresAt }
    await stores.authorizedApps.remove(user.id, 'app')
    t.ok(await stores.sessions.add({ idHash: id, user, authTime: now, amr: 'pwd', expiresAt }))
    t.ok(await stores.grants.add({ ...granted, id, nonceHash: id, responseType: 'code', epoch: 1, isSilent: false }))
    await stores.consents.add({ userId: user.id, clientId: 'app', audience: 'api', scope: ['a'], allowedAt: now, nonceHash: id })
    await stores.codes.add({
      ...granted,
      hash: id,
      grantId: id,
      redirectUri: 'https://app.example',
      callbackNamed: true,
      codeChallenge: 'x',
      authTime: now,
      amr: 'pwd'
    })
    const request = { clientId: 'app', scope: 'a', audience: 'api', acrValues: '', maxAge: null }
    const waiting = { ...request, pollInterval: 5, createdAt: now, expiresAt }
    await stores.deviceCodes.add({ ...waiting, hash: `device-${username}`, userCodeHash: `user-${username}` })
    const given = { ...granted, id: `grant-${username}`, nonceHash: username, responseType: 'device_code', epoch: 1, isSilent: false }
    t.equal(await stores.deviceCodes.allow(`user-${username}`, given, { authTime: now, amr: 'pwd' }, now), 'allowed')
    const app = { id: `app-${username}`, secret: 'x', lastStep: 0, replaces: null, recoveryCodes: ['x'] }
    t.ok(await stores.factors.authenticators.enroll(user, app, anyone))
    t.ok(await stores.trustedBrowsers.add(user, { id, userAgent: null, createdAt: now, expiresAt }))
    ids.push(user.id)
  }
  const all = [
    'access_epoch', 'access_grant', 'authenticator', 'authorization_code', 'consent', 'device_code', 'recovery_code', 'revocation', 'session',
    'trusted_browser', 'user_account'
  ]
  const [uma, bob] = ids as [string, string]
  t.same(await tablesNaming(url, uma), all)
  t.equal(await stores.users.remove('UMAYALINI'), uma)
  t.equal(await stores.users.remove('UMAYALINI'), null)
  t.same(await tablesNaming(url, uma), [])
  for (const text of ['Umayalini', 'umayalini@mail']) t.same(await tablesNaming(url, text), [])
  t.same(await tablesNaming(url, bob), all)
  t.equal(await stores.users.rename('bob', 'Umayalini'), 'renamed', 'the user name is free')
})
