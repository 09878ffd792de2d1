import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openStores } from '../../src/stores/stores.js'
import type { Stores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, longTimeouts, temporaryDatabase } from '../support/database.js'
import { anyone } from '../support/factors.js'
import { CALLBACK, client } from '../support/helper.js'

export const onBothDatabases = true

const [now, hence] = [new Date(), new Date(Date.now() + 60_000)]

async function begin (t: Test) {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const userId = randomUUID()
  await stores.clients.add(client())
  await stores.users.add({ id: userId, username: 'ann', passwordHash: 'x', demo: false })
  const user = (await stores.users.find('ann'))!
  const granted = { clientId: 'app', userId, scope: 'a', audience: 'api', createdAt: now, expiresAt: hence }
  await stores.grants.add({ ...granted, id: 'seed', nonceHash: 'seed', responseType: 'code', epoch: 0, isSilent: false })
  return { url, stores, userId, user, granted }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** What refers to a client or a person, and the answer of each when that is removed. */
const ADDITIONS: Array<[name: string, removed: 'client' | 'user_account', add: (begun: Begun) => Promise<unknown>, answer: unknown]> = [
  [
    'a code',
    'client',
    ({ stores, granted }) =>
      stores.codes.add({
        ...granted,
        hash: 'code',
        grantId: 'late',
        redirectUri: CALLBACK,
        callbackNamed: true,
        codeChallenge: 'x',
        authTime: now,
        amr: 'pwd'
      }),
    undefined
  ],
  [
    'a grant',
    'client',
    ({ stores, granted }) =>
      stores.grants.add({ ...granted, id: 'late', nonceHash: 'late', responseType: 'token', epoch: 0, isSilent: false }),
    null
  ],
  [
    'a consent',
    'client',
    ({ stores, userId }) =>
      stores.consents.add({ userId, clientId: 'app', audience: 'api', scope: ['a'], allowedAt: now, nonceHash: 'seed' }),
    undefined
  ],
  [
    'a consent',
    'user_account',
    ({ stores, userId }) =>
      stores.consents.add({ userId, clientId: 'app', audience: 'api', scope: ['a'], allowedAt: now, nonceHash: 'seed' }),
    undefined
  ],
  ['a session', 'user_account', ({ stores, user }) => stores.sessions.add({ idHash: 'late', user, authTime: now, amr: 'pwd', expiresAt: hence }), false],
  [
    'an authenticator app', 'user_account',
    ({ stores, user }) =>
      stores.factors.authenticators.enroll(user, { id: 'late', secret: 'x', lastStep: 0, replaces: null, recoveryCodes: ['x'] }, anyone), null
  ],
  ['recovery codes', 'user_account', ({ stores, user }) => stores.factors.recoveryCodes.replace(user, ['x']), false],
  [
    'a trusted browser', 'user_account',
    ({ stores, user }) => stores.trustedBrowsers.add(user, { id: 'late', userAgent: null, createdAt: now, expiresAt: hence }), false
  ],
  ...(['client', 'user_account'] as const).map((removed): typeof ADDITIONS[number] => [
    'a session at an app', removed,
    ({ stores, userId }) => stores.clientSessions.beginOnDevice('late', userId, { clientId: 'app', epoch: 0, endsAt: hence }), false
  ])
]

const remove = (stores: Stores, removed: string) => removed === 'client' ? stores.clients.remove('app') : stores.users.remove('ann')

for (const [name, removed, add, answer] of ADDITIONS) {
  t.test(`${name} is refused, not failed, once its ${removed} is removed`, async t => {
    const begun = await begin(t)
    await remove(begun.stores, removed)
    t.equal(await add(begun), answer)
  })

  if (onPostgresql && name !== 'a grant') {
    t.test(`${name} is refused, not failed, while its ${removed} is being removed`, async t => {
      const begun = await begin(t)
      const operator = await connectTo(begun.url)
      t.teardown(() => operator.close())
      await operator.query('BEGIN')
      await operator.query(`DELETE FROM ${removed}`)
      const added = add(begun)
      added.catch(() => {})
      await setTimeout(200)
      await operator.query('COMMIT')
      t.equal(await added, answer)
    })
  }
}
