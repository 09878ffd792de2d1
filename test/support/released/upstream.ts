import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Connects and disconnects accounts at the upstream provider. @param now when they sign in */
export async function useUpstream ({ upstreamIdentities, users }: Pick<Stores, 'upstreamIdentities' | 'users'>, now: Date) {
  const user = { id: 'person-8', passwordHash: '$argon2id$', epoch: 0 }
  await users.add({ ...user, username: 'Kim', demo: false })
  const identity = { idHash: 'identity-1', issuer: 'https://upstream.example' }
  await upstreamIdentities.connect(user, identity)
  await upstreamIdentities.use('identity-1', 'person-8', now)
  await upstreamIdentities.find('person-8')
  const added = { id: 'person-9', username: 'eve@example.com', email: 'eve@example.com', emailVerified: true, passwordHash: '$argon2id$', demo: false }
  await upstreamIdentities.addUser(added, { ...identity, idHash: 'identity-2' })
  await upstreamIdentities.addUser({ ...added, email: 'other@example.com' }, { ...identity, idHash: 'identity-3' })
  await users.remove({ id: 'person-9' })
  await upstreamIdentities.holder('identity-2')
  await upstreamIdentities.disconnect(user)
  await upstreamIdentities.connect({ ...user, epoch: 1 }, { ...identity, idHash: 'identity-2' })
  await upstreamIdentities.remove('person-8')
}
