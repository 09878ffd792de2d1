import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { unknownClient } from './unknown.js'
import { findUser, type UserSummary } from './user-details.js'

type SessionStores = Pick<Stores, 'users' | 'clients'> & Recording

/** Ends every session of a user and revokes the access of every client, as "Sign out everywhere" of the account page. @throws Refusal */
export async function signOutUser (stores: SessionStores, username: string, by: Actor): Promise<UserSummary> {
  const user = await findUser(stores, username)
  await recorded(stores, 'user sign-out', { userId: user.id }, by).users.endAccess(user.id)
  return user
}

/**
 * Revokes the access of one client to the account of a user, as "Remove access" of the account page. It also ends what is
 * granted at that moment. `hadAccess`: whether there was any before.
 * @throws Refusal
 */
export async function revokeAccess (
  stores: SessionStores, { username, clientId }: { username: string, clientId: string }, by: Actor
): Promise<UserSummary & { readonly hadAccess: boolean }> {
  const user = await findUser(stores, username)
  const event = (removed: unknown) => ({ userId: user.id, clientId, details: { remembered: Object(removed).remembered } })
  const removed = await recorded(stores, 'user revoke', event, by).authorizedApps.remove(user.id, clientId)
  if (removed === null) throw await unknownClient(stores, clientId)
  return { ...user, hadAccess: removed.hadAccess }
}
