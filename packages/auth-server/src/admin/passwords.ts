import { quote } from '@frontdesk/service-kit/showable'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import { whyNotName } from '../input/text.js'
import { hashPassword } from '../sign-in/password.js'
import { whyNotPassword, type PasswordOwner } from '../sign-in/password-rule.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { Profile } from '../stores/profiles.js'
import type { Actor } from './actor.js'
import { record } from './audit.js'
import { sendPasswordLink, type SentLink } from './password-link.js'
import { assertValid, conflict } from './refusal.js'
import { unknownUser } from './unknown.js'
import { findDetails, findUser, type UserDetails, type UserSummary } from './user-details.js'
import { readAttributes, takenUsername, type TypedAttributes, type UserStores } from './users.js'

/** A user to register. */
export interface NewUser extends TypedAttributes { readonly username: string }

/** How a link is made: with the settings of the server, and printed even if it could be emailed. */
interface LinkOptions { readonly config: Config, readonly print?: boolean | undefined }

/** Registers a user. @throws Refusal */
export async function addUser (
  stores: UserStores, { password, ...user }: NewUser & { readonly password: string }, by: Actor
): Promise<UserDetails> {
  const attributes = readNewUser(user)
  const added = await register(stores, user.username, await hash(password, { ...attributes, username: user.username }), attributes)
  await record(stores, 'user add', { userId: added.id }, by)
  return added
}

/** Registers a user who sets the password by a link. @throws Refusal */
export async function inviteUser (stores: UserStores, user: NewUser, options: LinkOptions, by: Actor): Promise<UserDetails & SentLink> {
  // A password that no one knows.
  const added = await register(stores, user.username, await hashPassword(randomOpaqueToken()), readNewUser(user))
  const link = await sendPasswordLink(stores, added, { ...options, isInvitation: true, email: options.print ? null : added.email })
  await record(stores, 'user invite', { userId: added.id }, by)
  return { ...added, ...link }
}

/** Sets a password, ends every session and revokes the access of every client. @throws Refusal */
export async function setPassword (stores: UserStores, username: string, password: string, by: Actor): Promise<UserSummary> {
  const user = await findDetails(stores, username)
  if (!await stores.users.setPassword(username, await hash(password, user))) throw await unknownUser(stores, username)
  await record(stores, 'user passwd', { userId: user.id }, by)
  return await findUser(stores, username)
}

/** Makes a link with which a user sets a password. Until it is used, nothing changes. @throws Refusal */
export async function resetPassword (
  stores: UserStores, username: string, options: LinkOptions, by: Actor
): Promise<UserSummary & SentLink> {
  const user = await findUser(stores, username)
  if (user.disabledAt !== null) throw conflict('username', `${quote(user.username)} is disabled.`)
  const profile = await stores.profiles.find(user.id)
  const email = profile?.emailVerified && !options.print ? profile.email : null
  const link = await sendPasswordLink(stores, user, { ...options, isInvitation: false, email })
  await record(stores, 'user reset-link', { userId: user.id }, by)
  return { ...user, ...link }
}

/** Reads with which attributes a user is to be registered. @throws Refusal with every fault, also of the user name */
export function readNewUser ({ username, ...attributes }: NewUser): Partial<Profile> {
  return readAttributes(attributes, { username: [whyNotName('user name', username)] })
}

/** @throws Refusal if the password is not acceptable */
async function hash (password: string, owner: PasswordOwner): Promise<string> {
  assertValid({ password: [await whyNotPassword(password, owner)] })
  return await hashPassword(password)
}

/** @throws Refusal if the user name is taken */
async function register (stores: UserStores, username: string, passwordHash: string, attributes: Partial<Profile>): Promise<UserDetails> {
  if (!await stores.users.add({ id: randomUUID(), username, passwordHash, demo: false, ...attributes })) throw takenUsername(username)
  return await findDetails(stores, username)
}
