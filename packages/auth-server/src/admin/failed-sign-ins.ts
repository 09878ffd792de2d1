import {
  accountPrefix, codePrefix, PER_ACCOUNT, readAccountCounter, typedPrefix, WINDOW_S, type AccountFailures
} from '../sign-in/account-limit.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { assertMayChangeUser } from './rights.js'
import { findUser, type UserSummary } from './user-details.js'

/** A user, and where sign-in has failed in the last 15 minutes. */
type FailedSignIns = UserSummary & { readonly sources: readonly AccountFailures[] }

/** The addresses and networks from which sign-in to an account has failed in the last 15 minutes, at most 100. @throws Refusal */
export async function listFailedSignIns (stores: Pick<Stores, 'users' | 'counters'>, key: UserKey): Promise<FailedSignIns> {
  const user = await findUser(stores, key)
  return { ...user, sources: (await stores.counters.find(accountPrefix(user.username))).map(readAccountCounter) }
}

/** Maximum events that are read, and users that are looked up. */
const [MAX_READ, MAX_USERS] = [1_000, 20]

/** Users locked out at an address after failed sign-ins, according to the newest events; at most {@link MAX_USERS}. */
export async function listLockedOut (
  stores: Pick<Stores, 'users' | 'counters' | 'audit' | 'clock'>
): Promise<ReadonlyArray<Pick<UserSummary, 'id' | 'username'>>> {
  const since = new Date(stores.clock.now().getTime() - WINDOW_S * 1_000)
  const { rows } = await stores.audit.page({ event: 'sign-in', outcome: 'wrong', since }, MAX_READ)
  const failures = new Map<string, number>()
  for (const { userId } of rows) if (userId !== null) failures.set(userId, (failures.get(userId) ?? 0) + 1)
  const ids = [...failures].filter(([, count]) => count >= PER_ACCOUNT[0]!.points).map(([id]) => id).slice(0, MAX_USERS)
  const users = [...await stores.users.names(ids)].map(([id, username]) => ({ id, username }))
  const areLocked = await Promise.all(users.map(async ({ username }) =>
    (await stores.counters.find(accountPrefix(username))).some(counter => readAccountCounter(counter).isLimited)))
  return users.filter((_, index) => areLocked[index])
}

/**
 * Resets a user's failed sign-ins and wrong codes, so that they can try again immediately from everywhere. The limits of addresses with
 * failures on many accounts stay. `wasLimited`: whether attempts from any address were rejected.
 * @throws Refusal
 */
export async function unlockUser (
  stores: Pick<Stores, 'users' | 'counters' | 'profiles' | 'roles'> & Recording, key: UserKey, by: Actor
): Promise<UserSummary & { readonly wasLimited: boolean }> {
  const { sources, ...user } = await listFailedSignIns(stores, key)
  // A client could try the passwords of administrators without a limit.
  await assertMayChangeUser(stores, by, user.id)
  const [{ username }, profile] = [user, await stores.profiles.findAny({ id: user.id })]
  const typed = [username, profile?.email ?? username].map(typedPrefix)
  await recorded(stores, 'user unlock', { userId: user.id }, by).counters.remove(accountPrefix(username), codePrefix(username), ...typed)
  return { ...user, wasLimited: sources.some(({ isLimited }) => isLimited) }
}
