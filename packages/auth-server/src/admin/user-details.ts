import { userAttributes } from '../oauth/user-fields.js'
import type { TimeOrder } from '../stores/access/time-order.js'
import type { Profile } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import type { User } from '../stores/users/users.js'
import type { EnrolledFactors } from '../stores/users/factors.js'
import type { StoredData } from '../stores/users/stored-data.js'
import type { ConnectedIdentity } from '../stores/users/upstream-identities.js'
import type { UserKey } from '../stores/users/user-columns.js'
import { unknownUser } from './unknown.js'

/** A user, without the password hash. */
export type UserSummary = Omit<User, 'passwordHash' | 'foreignCost' | 'epoch'>

/** A user with their attributes and roles. */
export type UserDetails = UserSummary & Profile & { readonly roles: readonly string[] }

/** The factors of a user, the number of trusted browsers, and the account at the upstream provider. */
export type FactorCounts = EnrolledFactors & { readonly trustedBrowsers: number, readonly upstream: ConnectedIdentity | null }

/** A page of users with their attributes. */
export interface UserPage { readonly users: ReadonlyArray<UserSummary & Profile>, readonly hasMore: boolean }

/** Which users to list: matches of a search, after a user name, who gave one client access. */
interface UserQuery {
  /** Sorts by when users were added; only without a search and a client. Default: by user name. */
  readonly order?: TimeOrder | undefined
  readonly search?: string | undefined
  readonly after?: string | undefined
  readonly clientId?: string | undefined
  readonly limit: number
}

/** Finds a user. @throws Refusal */
export async function findUser (stores: Pick<Stores, 'users'>, key: UserKey): Promise<UserSummary> {
  const user = await stores.users.find(key)
  if (user === null) throw await unknownUser(stores, key)
  return summaryOf(user)
}

/** Finds a user with their attributes and roles. @throws Refusal */
export async function findDetails (stores: Pick<Stores, 'users' | 'profiles' | 'roles'>, key: UserKey): Promise<UserDetails> {
  const [user, profile] = [await findUser(stores, key), await stores.profiles.findAny(key)]
  if (profile === null) throw await unknownUser(stores, key)
  return detailsOf({ ...user, ...profile, id: user.id, roles: await stores.roles.of(user.id) })
}

/** A user with their attributes and roles, without the password hash. */
export function detailsOf (user: UserDetails): UserDetails {
  return { ...summaryOf(user), ...attributesOf(user), roles: user.roles }
}

/** Finds a user with all that is stored about them. @throws Refusal */
export async function findAll (
  stores: Pick<Stores, 'users' | 'profiles' | 'roles' | 'factors' | 'trustedBrowsers' | 'upstreamIdentities' | 'clock'>, key: UserKey
): Promise<UserDetails & StoredData & { readonly factors: FactorCounts }> {
  const now = stores.clock.now()
  const [user, storedData] = [await findDetails(stores, key), await stores.users.storedData(key, now)]
  if (storedData === null) throw await unknownUser(stores, key)
  const trustedBrowsers = (await stores.trustedBrowsers.list(user.id, now)).length
  const upstream = await stores.upstreamIdentities.find(user.id)
  return { ...user, ...storedData, factors: { ...await stores.factors.find(user.id), trustedBrowsers, upstream } }
}

/** Lists users. */
export async function listUsers ({ users }: Pick<Stores, 'users'>, { limit, order, ...query }: UserQuery): Promise<UserPage> {
  const page = { ...query, limit: limit + 1 }
  const found = await (order === undefined ? users.list(page) : users.byTime(order, page))
  return { users: found.slice(0, limit).map(user => ({ ...summaryOf(user), ...attributesOf(user) })), hasMore: found.length > limit }
}

/** The user with a user name, as a page. */
export async function findPage (stores: Pick<Stores, 'users' | 'profiles'>, username: string): Promise<UserPage> {
  const user = await stores.users.find(username)
  const profile = user && await stores.profiles.findAny({ id: user.id })
  return { users: profile === null ? [] : [{ ...summaryOf(user!), ...attributesOf(profile) }], hasMore: false }
}

/** The state of a user, or of a client, which has no password. */
export function stateOf (
  { disabledAt, passwordSetAt }: Pick<UserSummary, 'disabledAt'> & Partial<Pick<UserSummary, 'passwordSetAt'>>
): 'disabled' | 'invited' | 'enabled' {
  return disabledAt !== null ? 'disabled' : passwordSetAt === null ? 'invited' : 'enabled'
}

/** A user without the password hash. */
export function summaryOf (user: UserSummary): UserSummary {
  const { id, username, passwordSetAt, termsVersion, termsAcceptedAt, demo, disabledAt, createdAt } = user
  return { id, username, passwordSetAt, termsVersion, termsAcceptedAt, demo, disabledAt, createdAt }
}

function attributesOf (profile: Profile): Profile {
  // as: it has these fields.
  return Object.fromEntries(userAttributes.map(name => [name, profile[name]])) as Profile
}
