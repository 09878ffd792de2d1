import type { SentLink } from '../../admin/password-link.js'
import { noUser } from '../../admin/unknown.js'
import { detailsOf, summaryOf, type UserDetails, type UserPage, type UserSummary } from '../../admin/user-details.js'
import { path, type AdminApi, type Items } from './api.js'

type Listed = UserPage['users'][number]

interface PageQuery { readonly search?: string, readonly after?: string, readonly limit: number, readonly client?: string }

/** A user with a link, as the API returns them. */
type Linked = { readonly user: UserDetails } & Pick<SentLink, 'mailFailure'> & SentLink['passwordLink']

/** Lists users. */
export async function listRemoteUsers (api: AdminApi, { search, after, limit, client }: PageQuery): Promise<UserPage> {
  const { items, next } = await api.list<Listed & { readonly state: string }>('/users', { search, after, limit, client })
  return { users: items.map(({ state: _, ...user }) => user), hasMore: next !== null }
}

/** Finds a user by user name. @throws Refusal */
export async function findRemoteUser (api: AdminApi, username: string): Promise<Listed> {
  const [user] = (await api.get<Items<Listed>>('/users', { username })).items
  if (user === undefined) throw noUser(username)
  return user
}

/** Runs an action on a user: calls `act` with the user's path. @returns the user, as the action returns it, or as it was */
export async function onRemoteUser (
  api: AdminApi, username: string, act: (path: string) => Promise<UserDetails | void>
): Promise<UserSummary> {
  const user = await findRemoteUser(api, username)
  return summaryOf(await act(path`/users/${user.id}`) ?? user)
}

/** Invites a user, or resets a password. */
export async function sendRemoteLink (api: AdminApi, at: string, body?: object) {
  const { user, mailFailure, ...passwordLink } = await api.post<Linked>(at, body)
  return { user: detailsOf(user), sent: { passwordLink, ...mailFailure !== undefined && { mailFailure }, issuer: api.server } }
}
