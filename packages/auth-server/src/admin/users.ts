import { quote } from '@frontdesk/service-kit/showable'
import type { Config } from '../config.js'
import { whyNotName } from '../input/text.js'
import { readAttributes as readText, type TypedText } from '../oauth/read-attributes.js'
import type { UserRoles } from '../stores/access/roles.js'
import { foldEmail, resemblesEmail, type UserKey } from '../stores/users/user-columns.js'
import type { Profile } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import type { AddressMails } from './address-change.js'
import { recorded, type Recording } from './audit.js'
import { edited } from './list-edit.js'
import { assertValid, invalid, taken, type Refusal } from './refusal.js'
import { assertMayChangeUser } from './rights.js'
import { unknownRole } from './roles.js'
import { unknownUser } from './unknown.js'
import { detailsOf, findDetails, findUser, stateOf, type UserDetails, type UserSummary } from './user-details.js'
import { reason, type Reason } from '../languages/reason.js'

/** Stores of actions on users. */
export type UserStores = Pick<Stores, 'users' | 'profiles' | 'roles' | 'audit'> & Recording

/** The attributes of a user as typed. An empty text removes one. */
export type TypedAttributes = TypedText & { readonly emailVerified?: boolean | undefined }

/** A change of a user: attributes, and all roles, or an edit of them. */
interface UserChange {
  readonly attributes: TypedAttributes
  readonly roles?: UserRoles | undefined
  /** Called with the user while it is locked; if it throws, nothing is changed. */
  readonly check?: ((before: UserDetails) => void) | undefined
  /** The server's settings, for emails; called only if the address of an enabled user changes. */
  readonly config: () => Config
}

/** Changes the named attributes and the roles of a user. If the address changes, emails the user. @throws Refusal */
export async function updateUser (
  stores: UserStores, key: UserKey, { attributes, roles, check, config }: UserChange, by: Actor
): Promise<UserDetails & AddressMails> {
  const change = readAttributes(attributes)
  const before = await findDetails(stores, key)
  const { id } = before
  // Before the change: the settings can be invalid. An invited user verifies an address with the invitation.
  const isMailed = change.email !== undefined && change.email !== before.email && stateOf(before) === 'enabled'
  const settings = isMailed ? config() : undefined
  const isEdit = roles !== undefined && 'add' in roles
  await assertMayChangeUser(stores, by, id, isEdit ? roles.add : roles)
  if (isEdit) edited(await stores.roles.of(id), roles, 'role')
  // Names only: audit rows outlive the user.
  const details = { attributes: Object.keys(change), ...isEdit ? roles : roles && { roles: roles.join(' ') } }
  const { profiles } = recorded(stores, 'user update', { userId: id, details }, by)
  if (await profiles.change(key, change, roles, check && (before => check(detailsOf(before))))) {
    const after = await findDetails(stores, key)
    if (settings === undefined) return after
    // Loaded on demand: most changes send no email.
    const { mailAddressChange } = await import('./address-change.js')
    return { ...after, ...await mailAddressChange(stores, { before, after }, settings) }
  }
  await findUser(stores, key)
  throw await unknownRole(stores, ...isEdit ? [...roles.add, ...roles.remove] : roles ?? [])
}

/** Changes a user name; the id, the password and all access stay. @throws Refusal */
export async function renameUser (stores: UserStores, key: UserKey, wanted: string, by: Actor): Promise<UserSummary> {
  assertValid({ username: [whyNotName('user_name', wanted)] })
  const { id } = await findUser(stores, key)
  await assertMayChangeUser(stores, by, id)
  // Without the names: audit rows outlive the user.
  const outcome = await recorded(stores, 'user rename', { userId: id }, by).users.rename(key, wanted)
  if (outcome === 'taken') throw takenUsername(wanted)
  if (outcome === 'foreign') throw foreignUsername()
  if (outcome === 'unknown') throw await unknownUser(stores, key)
  return await findUser(stores, wanted)
}

/** Disables a user, ends all sessions and revokes all access; or enables. @throws Refusal */
export async function setUserDisabled (stores: UserStores, key: UserKey, isDisabled: boolean, by: Actor): Promise<UserSummary> {
  const { id } = await findUser(stores, key)
  await assertMayChangeUser(stores, by, id)
  const { users } = recorded(stores, isDisabled ? 'user disable' : 'user enable', { userId: id }, by)
  if (!await users.setDisabled(key, isDisabled ? stores.clock.now() : null)) throw await unknownUser(stores, key)
  return await findUser(stores, key)
}

/** Removes a user with everything stored about them; audit rows keep the id. @throws Refusal */
export async function removeUser (stores: UserStores, key: UserKey, by: Actor): Promise<UserSummary> {
  const user = await findUser(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  const { users } = recorded(stores, 'user remove', { userId: user.id }, by)
  if (await users.remove(key) === null) throw await unknownUser(stores, key)
  return user
}

/** Reads attributes. @param others faults of other fields @throws Refusal with all faults */
export function readAttributes (
  { emailVerified, ...typed }: TypedAttributes, others: Readonly<Record<string, Array<Reason | string | null>>> = {}
): Partial<Profile> {
  const { change, faults } = readText(typed)
  assertValid({ ...others, ...Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, [fault]])) })
  // The user can change the address at any time.
  if (emailVerified && (change.email ?? null) === null) throw invalid('emailVerified', reason('reason.user-which-address'))
  return { ...change, ...emailVerified !== undefined && { emailVerified } }
}

/** @throws Refusal if a new user's name resembles an email address, but is not the user's own verified one */
export function assertOwnUsername (username: string, { email, emailVerified }: Partial<Profile>): void {
  if (!resemblesEmail(username) || (emailVerified && foldEmail(email ?? '') === foldEmail(username))) return
  throw foreignUsername()
}

/** Makes the refusal for a user name that could be another user's email address: user names come first at sign-in. */
function foreignUsername (): Refusal {
  return invalid('username', reason('reason.user-foreign-name'))
}

/** Makes the refusal for a user name that another user has. */
export function takenUsername (username: string): Refusal {
  return taken('username', reason('reason.user-name-taken', { username: quote(username) }))
}
