import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { unknownClient } from './unknown.js'
import { findUser, type UserSummary } from './user-details.js'

type SessionStores = Pick<Stores, 'users' | 'clients'> & Recording

/** Ends a user's sessions and revokes all clients' access, like "Sign out everywhere" on the account page. @throws Refusal */
export async function signOutUser (stores: SessionStores, key: UserKey, by: Actor): Promise<UserSummary> {
  const user = await findUser(stores, key)
  await recorded(stores, 'user sign-out', { userId: user.id }, by).users.endAccess(user.id)
  return user
}

/**
 * Revokes a client's access to a user's account, including grants in flight, like "Remove access" on the account page. `hadAccess`:
 * whether there was any.
 * @throws Refusal
 */
export async function revokeAccess (
  stores: SessionStores, { user: key, clientId }: { readonly user: UserKey, readonly clientId: string }, by: Actor
): Promise<UserSummary & { readonly hadAccess: boolean }> {
  const user = await findUser(stores, key)
  const event = (removed: unknown) => ({ userId: user.id, clientId, details: { remembered: Object(removed).remembered } })
  const removed = await recorded(stores, 'user revoke', event, by).authorizedApps.remove(user.id, clientId)
  if (removed === null) throw await unknownClient(stores, clientId)
  return { ...user, hadAccess: removed.hadAccess }
}
