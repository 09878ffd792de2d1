import { quote } from '@frontdesk/service-kit/showable'
import type { Config } from '../config.js'
import type { SessionEntry } from '../stores/sessions/session-list.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { unknown } from './refusal.js'
import { assertMayChangeUser } from './rights.js'
import { findClient, unknownClient } from './unknown.js'
import { findUser, listUsers, type UserSummary } from './user-details.js'
import { reason } from '../languages/reason.js'

type SessionStores = Pick<Stores, 'users' | 'clients' | 'roles'> & Recording

/** A user's live sessions, most recently seen first: at most 50, and whether there are more. @throws Refusal */
export async function listSessions (
  stores: Pick<Stores, 'users' | 'sessions' | 'clock'>, key: UserKey
): Promise<{ readonly sessions: readonly SessionEntry[], readonly more: boolean }> {
  const { id } = await findUser(stores, key)
  return await stores.sessions.list(id, stores.clock.now())
}

/** Signs a user out of one browser, and of its clients by back-channel logout. @throws Refusal */
export async function endSession (
  stores: SessionStores, { user: key, session }: { readonly user: UserKey, readonly session: string }, by: Actor
): Promise<UserSummary> {
  const user = await findUser(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  const { sessions } = recorded(stores, 'user end-session', { userId: user.id }, by)
  if (!await sessions.end(user.id, session)) {
    throw unknown('session', reason('reason.unknown-session', { username: quote(user.username), session: quote(session) }))
  }
  return user
}

/** The clients with access to a user's account, most recently used first: at most 100, and whether there are more. @throws Refusal */
export async function listApps (
  stores: Pick<Stores, 'users' | 'authorizedApps' | 'clock'>, key: UserKey, { accessTokenTtl }: Pick<Config, 'accessTokenTtl'>
) {
  const { id } = await findUser(stores, key)
  return await stores.authorizedApps.of(id, stores.clock.now(), accessTokenTtl)
}

/** The users who gave a client access, by user name, with the last time that it got a token for each. */
export async function listPeople (stores: Pick<Stores, 'users' | 'authorizedApps'>, clientId: string, limit: number) {
  const { users, hasMore } = await listUsers(stores, { clientId, limit })
  const lastUses = await stores.authorizedApps.lastUses(clientId, users.map(({ id }) => id))
  return { people: users.map(user => ({ ...user, lastUsed: lastUses.get(user.id) })), hasMore }
}

/** Ends a user's sessions and revokes all clients' access, like "Sign out everywhere" on the account page. @throws Refusal */
export async function signOutUser (stores: SessionStores, key: UserKey, by: Actor): Promise<UserSummary> {
  const user = await findUser(stores, key)
  await assertMayChangeUser(stores, by, user.id)
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
  await assertMayChangeUser(stores, by, user.id)
  await findClient(stores, clientId)
  const event = (removed: unknown) => ({ userId: user.id, clientId, details: { remembered: Object(removed).remembered } })
  const removed = await recorded(stores, 'user revoke', event, by).authorizedApps.remove(user.id, clientId)
  if (removed === null) throw await unknownClient(stores, clientId)
  return { ...user, hadAccess: removed.hadAccess }
}
