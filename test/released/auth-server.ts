import type { Stores } from '../../packages/auth-server/src/stores/stores.js'
import { load } from '../load.js'
import type { Watch } from './watch.js'

/** Uses everything that auth-server's stores can do. @param url a database of its own, which is migrated */
export async function useAuthServer (url: string, watch: Watch): Promise<void> {
  const { openStores } = await load<{ openStores: (url: string) => Promise<Stores> }>('auth-server', 'stores/prisma/open.js')
  const stores = watch(await openStores(url))
  const { clients, users, sessions, grants, signingKeys, throttles, leases } = stores
  const now = new Date()
  const hence = (seconds: number) => new Date(now.getTime() + 1000 * seconds)

  const client = {
    id: 'app',
    name: 'An app',
    callbacks: ['https://app.example/cb', 'https://app.example/other'],
    resources: ['https://api.example'],
    defaultScope: 'customer:read',
    accessTokenTtl: 60,
    implicit: 'allowed',
    demo: false
  } as const
  await clients.add(client)
  await clients.add(client)
  await clients.put({ ...client, callbacks: ['https://app.example/new'], resources: [] })
  await clients.put({ ...client, id: 'second', demo: true })
  await clients.setDisabled('app', now)
  await clients.setDisabled('app', null)
  await clients.find('app')
  await clients.list()

  await users.add({ id: 'person-1', username: 'Ann', passwordHash: '$argon2id$', demo: false })
  await users.add({ id: 'person-2', username: 'ann', passwordHash: '$argon2id$', demo: false })
  await users.find('ANN')
  await users.list()

  await sessions.add({ idHash: 'session-1', userId: 'person-1', authTime: now, expiresAt: hence(60) })
  await sessions.add({ idHash: 'session-2', userId: 'person-1', authTime: now, expiresAt: hence(0) })
  await sessions.find('session-1', now)
  await sessions.sweep(now, 500)
  await sessions.remove('session-1')

  const grant = {
    id: 'grant-1',
    nonceHash: 'nonce-1',
    clientId: 'app',
    userId: 'person-1',
    responseType: 'token',
    scope: 'customer:read',
    audience: 'https://api.example',
    createdAt: now,
    expiresAt: hence(60)
  }
  await grants.add(grant)
  await grants.add({ ...grant, id: 'grant-2' })
  await grants.add({ ...grant, id: 'grant-3', nonceHash: 'nonce-3', expiresAt: hence(0) })
  await grants.sweep(now, 500)

  await signingKeys.list()
  const key = { kid: 'key-1', generation: 1, alg: 'ES256', publicJwk: '{}', privateJwe: 'sealed', createdAt: now, signsFrom: now }
  await signingKeys.add(key)
  await signingKeys.add({ ...key, kid: 'key-2' })
  await signingKeys.reseal('key-1', 'sealed', 'sealed anew')
  await signingKeys.list()

  await signingKeys.now()
  await signingKeys.retire('key-1', now)

  await leases.take('clean-up', 'replica', now, hence(60))

  const throttle = throttles.under({ name: 'account', points: 1, duration: 60 })
  await throttle.count('ann')
  await throttle.count('ann')
  await throttle.takeBack('ann')
  await throttle.reset('ann')
  await throttle.count('ann')
  await throttles.sweep(hence(120), 500)

  await users.setPassword('ann', '$argon2id$v=19')
  await users.setDisabled('ann', now)
  await users.setDisabled('ann', null)
  await clients.remove('app')
  await stores.ping()
  stores.pool()
  await stores.close()
}
