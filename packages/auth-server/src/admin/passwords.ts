import { quote } from '@frontdesk/service-kit/showable'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import { whyNotName } from '../input/text.js'
import { hashPassword } from '../sign-in/password.js'
import { whyNotPassword, type PasswordOwner } from '../sign-in/password-rule.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { Profile } from '../stores/users/profiles.js'
import type { Actor } from './actor.js'
import { record, recorded } from './audit.js'
import { sendPasswordLink, type SentLink } from './password-link.js'
import { assertValid, conflict } from './refusal.js'
import { unknownUser } from './unknown.js'
import { findDetails, summaryOf, type UserDetails, type UserSummary } from './user-details.js'
import { readAttributes, takenUsername, type TypedAttributes, type UserStores } from './users.js'

/** A user to register. */
export interface NewUser extends TypedAttributes { readonly username: string }

/** How to make a link: with the server's settings. `print`: not emailed. */
interface LinkOptions { readonly config: Config, readonly print?: boolean | undefined }

/** Registers a user. @throws Refusal */
export async function addUser (
  stores: UserStores, { password, ...user }: NewUser & { readonly password: string }, by: Actor
): Promise<UserDetails> {
  const attributes = readNewUser(user)
  const { username } = user
  const passwordHash = await hash(password, { ...attributes, username })
  return await register(stores, { ...attributes, username, passwordHash }, 'user add', by)
}

/** Registers a user who sets the password by a link. @throws Refusal */
export async function inviteUser (stores: UserStores, user: NewUser, options: LinkOptions, by: Actor): Promise<UserDetails & SentLink> {
  // A password that no one knows.
  const passwordHash = await hashPassword(randomOpaqueToken())
  const added = await register(stores, { ...readNewUser(user), username: user.username, passwordHash }, 'user invite', by)
  const { name, email } = added
  const link = await sendPasswordLink(stores, added, { ...options, isInvitation: true, name, email: options.print ? null : email })
  return { ...added, ...link }
}

/** Sets a password, ends all sessions and revokes all access. @throws Refusal */
export async function setPassword (stores: UserStores, username: string, password: string, by: Actor): Promise<UserSummary> {
  const user = await findDetails(stores, username)
  const { users } = recorded(stores, 'user passwd', { userId: user.id }, by)
  if (!await users.setPassword(username, await hash(password, user))) throw await unknownUser(stores, username)
  return summaryOf(user)
}

/** Makes a link with which a user sets a password. Until it is used, nothing changes. @throws Refusal */
export async function resetPassword (
  stores: UserStores, username: string, options: LinkOptions, by: Actor
): Promise<UserSummary & SentLink> {
  const user = await findDetails(stores, username)
  if (user.disabledAt !== null) throw conflict('username', `${quote(user.username)} is disabled.`)
  const email = user.emailVerified && !options.print ? user.email : null
  const link = await sendPasswordLink(stores, user, { ...options, isInvitation: false, name: user.name, email })
  await record(stores, 'user reset-link', { userId: user.id }, by)
  return { ...summaryOf(user), ...link }
}

/** Reads the attributes of a new user. @throws Refusal with all faults, including the user name's */
export function readNewUser ({ username, ...attributes }: NewUser): Partial<Profile> {
  return readAttributes(attributes, { username: [whyNotName('user name', username)] })
}

/** @throws Refusal if the password is not acceptable */
async function hash (password: string, owner: PasswordOwner): Promise<string> {
  assertValid({ password: [await whyNotPassword(password, owner)] })
  return await hashPassword(password)
}

/** @throws Refusal if the user name is taken */
async function register (
  stores: UserStores,
  user: Partial<Profile> & { readonly username: string, readonly passwordHash: string },
  event: 'user add' | 'user invite',
  by: Actor
): Promise<UserDetails> {
  const id = randomUUID()
  const { users } = recorded(stores, event, { userId: id }, by)
  if (!await users.add({ id, demo: false, ...user })) throw takenUsername(user.username)
  return await findDetails(stores, user.username)
}
