import { userAttributes } from '../oauth/user-fields.js'
import type { Profile } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import type { User } from '../stores/users/users.js'
import type { StoredData } from '../stores/users/stored-data.js'
import { unknownUser } from './unknown.js'

/** A user, without the password hash. */
export type UserSummary = Pick<User, 'id' | 'username' | 'demo' | 'disabledAt' | 'createdAt'>

/** A user with their attributes and roles. */
export type UserDetails = UserSummary & Profile & { readonly roles: readonly string[] }

/** A page of users with their attributes. */
export interface UserPage { readonly users: ReadonlyArray<UserSummary & Profile>, readonly hasMore: boolean }

/** Which users to list: matches of a search, after a user name, who gave one client access. */
interface UserQuery {
  readonly search?: string | undefined
  readonly after?: string | undefined
  readonly clientId?: string | undefined
  readonly limit: number
}

/** Finds a user. @throws Refusal */
export async function findUser (stores: Pick<Stores, 'users'>, username: string): Promise<UserSummary> {
  const user = await stores.users.find(username)
  if (user === null) throw await unknownUser(stores, username)
  return summaryOf(user)
}

/** Finds a user with their attributes and roles. @throws Refusal */
export async function findDetails (stores: Pick<Stores, 'users' | 'profiles' | 'roles'>, username: string): Promise<UserDetails> {
  const [user, profile] = [await findUser(stores, username), await stores.profiles.findByUsername(username)]
  if (profile === null) throw await unknownUser(stores, username)
  return { ...user, ...attributesOf(profile), roles: await stores.roles.of(user.id) }
}

/** Finds a user with all that is stored about them. @throws Refusal */
export async function findAll (
  stores: Pick<Stores, 'users' | 'profiles' | 'roles' | 'clock'>, username: string
): Promise<UserDetails & StoredData> {
  const [user, storedData] = [await findDetails(stores, username), await stores.users.storedData(username, stores.clock.now())]
  if (storedData === null) throw await unknownUser(stores, username)
  return { ...user, ...storedData }
}

/** Lists users by user name. */
export async function listUsers ({ users }: Pick<Stores, 'users'>, { limit, ...query }: UserQuery): Promise<UserPage> {
  const found = await users.list({ ...query, limit: limit + 1 })
  return { users: found.slice(0, limit).map(user => ({ ...summaryOf(user), ...attributesOf(user) })), hasMore: found.length > limit }
}

/** A user without the password hash. */
export function summaryOf ({ id, username, demo, disabledAt, createdAt }: UserSummary): UserSummary {
  return { id, username, demo, disabledAt, createdAt }
}

function attributesOf (profile: Profile): Profile {
  // as: it has these fields.
  return Object.fromEntries(userAttributes.map(name => [name, profile[name]])) as Profile
}
