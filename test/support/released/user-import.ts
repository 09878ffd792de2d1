import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses what imports users, and what replaces their hashes. */
export async function useUserImport ({ users }: Pick<Stores, 'users'>, now: Date): Promise<void> {
  const [passwordHash, attributes] = ['$2b$10$', { name: null, givenName: null, familyName: null, email: null, locale: null, picture: null }]
  const person = { passwordHash, foreignCost: 1, passwordSetAt: now, disabledAt: null, emailVerified: false, ...attributes, roles: [] }
  const [one, other] = [{ ...person, id: 'imported-1', username: 'Bea' }, { ...person, id: 'imported-2', username: 'Cy', roles: ['support'] }]
  await users.addAll([one, other])
  await users.addAll([one])
  await users.findTaken([one, other])
  await users.findSlowestHash()
  await users.replaceHash(one, '$argon2id$')
}
