import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses what imports and exports users, and what replaces their hashes. */
export async function useUserImport ({ users }: Pick<Stores, 'users'>, now: Date): Promise<void> {
  const [passwordHash, attributes] = ['$2b$10$', { name: null, givenName: null, familyName: null, email: null, locale: null, picture: null }]
  const times = { passwordSetAt: now, disabledAt: null, invitationDueAt: now }
  const person = { passwordHash, foreignCost: 1, ...times, emailVerified: false, ...attributes, roles: [] }
  const [one, other] = [{ ...person, id: 'imported-1', username: 'Bea' }, { ...person, id: 'imported-2', username: 'Cy', roles: ['support'] }]
  await users.usernames(10)
  await users.exportRows('person-1')
  await users.addAll([one, other])
  await users.addAll([one])
  await users.findTaken([one, other])
  await users.findSlowestHash()
  await users.claimInvitations(1)
  await users.finishInvitation('imported-1')
  await users.replaceHash(one, '$argon2id$')
}
