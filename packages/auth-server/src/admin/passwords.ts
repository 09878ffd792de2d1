import { quote } from '@frontdesk/service-kit/showable'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import { whyNotName } from '../input/text.js'
import { passwordSet } from '../mail/account-notices.js'
import { sendsMail } from '../settings/mail.js'
import { hashPassword, unusableHash } from '../sign-in/password.js'
import { whyNotPassword, type NewPassword, type PasswordOwner } from '../sign-in/password-rule.js'
import type { Profile } from '../stores/users/profiles.js'
import type { Actor } from './actor.js'
import { record, recorded } from './audit.js'
import { sendPasswordLink, type SentLink } from './password-link.js'
import type { UserKey } from '../stores/users/user-columns.js'
import { assertValid, conflict } from './refusal.js'
import { assertMayChangeUser, mayManageUsers } from './rights.js'
import { sendNotice } from './send-notice.js'
import { unknownRole } from './roles.js'
import { unknownUser } from './unknown.js'
import { findDetails, findUser, summaryOf, type UserDetails, type UserSummary } from './user-details.js'
import { assertOwnUsername, readAttributes, takenUsername, type TypedAttributes, type UserStores } from './users.js'
import { reason, type Reason } from '../languages/reason.js'

/** A user to register. */
export interface NewUser extends TypedAttributes { readonly username: string, readonly roles?: readonly string[] | undefined }

/** How to make a link. */
interface LinkOptions {
  /** The server's settings. */
  readonly config: Config
  /** Whether the link is never emailed. */
  readonly print?: boolean | undefined
}

/** Registers a user. @throws Refusal */
export async function addUser (
  stores: UserStores, { password, passwordMin, ...user }: NewUser & NewPassword, by: Actor
): Promise<UserDetails> {
  await assertMayChangeUser(stores, by, undefined, user.roles)
  const attributes = readNewUser(user)
  const { username } = user
  const passwordHash = await hash({ password, passwordMin }, { ...attributes, username })
  return await register(stores, { ...attributes, username, passwordHash, isInvited: false }, user.roles, by)
}

/** Registers a user who sets the password by a link. Support does not see the link: it must be emailed. @throws Refusal */
export async function inviteUser (stores: UserStores, user: NewUser, options: LinkOptions, by: Actor): Promise<UserDetails & SentLink> {
  await assertMayChangeUser(stores, by, undefined, user.roles)
  if (!mayManageUsers(by)) assertCanMail(options.config, user.email)
  const invited = { ...readNewUser(user), username: user.username, passwordHash: unusableHash(), isInvited: true }
  const added = await register(stores, invited, user.roles, by)
  const { name, locale } = added
  const email = options.print ? null : added.email
  const link = await sendPasswordLink(stores, added, { ...options, by, isInvitation: true, name, locale, email })
  return { ...added, ...shownTo(by, link) }
}

/** A password to set. `readConfig` is called if the user gets an email about it. */
interface SetPassword extends NewPassword { readonly readConfig: () => Config }

/**
 * Sets a password, ends all sessions and revokes all access. Emails the user. `mailFailure`: why not, in a sentence.
 * @throws Refusal
 */
export async function setPassword (
  stores: UserStores, key: UserKey, { readConfig, ...password }: SetPassword, by: Actor
): Promise<UserSummary & { readonly mailFailure?: Reason }> {
  const user = await findDetails(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  // Before the change: the settings can be invalid.
  const isMailed = user.disabledAt === null && user.email !== null && user.emailVerified
  const config = isMailed ? readConfig() : undefined
  const { users } = recorded(stores, 'user passwd', { userId: user.id }, by)
  if (!await users.setPassword(key, await hash(password, user))) throw await unknownUser(stores, key)
  const mailFailure = config && await sendNotice(stores, user, passwordSet, config)
  return { ...summaryOf(user), ...mailFailure !== undefined && { mailFailure } }
}

/**
 * Makes a link with which a user sets a password, or another invitation. Until it is used, nothing changes. Support does not see the
 * link: it must be emailed.
 * @throws Refusal
 */
export async function resetPassword (
  stores: UserStores, key: UserKey, options: LinkOptions, by: Actor
): Promise<UserSummary & SentLink> {
  const user = await findDetails(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  if (user.disabledAt !== null) throw conflict('username', reason('reason.user-disabled', { username: quote(user.username) }))
  const isInvitation = user.passwordSetAt === null
  // A second invitation goes to the address of the first one, and verifies it.
  const email = (user.emailVerified || isInvitation) && !options.print ? user.email : null
  if (!mayManageUsers(by)) assertCanMail(options.config, email)
  const link = await sendPasswordLink(stores, user, { ...options, by, isInvitation, name: user.name, locale: user.locale, email })
  await record(stores, 'user reset-link', { userId: user.id }, by)
  return { ...summaryOf(user), ...shownTo(by, link) }
}

/** Makes another invitation for a user who has set no password yet. See {@link resetPassword}. @throws Refusal */
export async function inviteAgain (
  stores: UserStores, key: UserKey, options: LinkOptions, by: Actor
): Promise<UserSummary & SentLink> {
  const { username, passwordSetAt } = await findUser(stores, key)
  if (passwordSetAt !== null) throw conflict('username', reason('reason.user-has-password', { username: quote(username) }))
  return await resetPassword(stores, key, options, by)
}

/** Reads the attributes of a new user. @throws Refusal with all faults, including the user name's */
export function readNewUser ({ username, roles: _, ...attributes }: NewUser): Partial<Profile> {
  const profile = readAttributes(attributes, { username: [whyNotName('user_name', username)] })
  assertOwnUsername(username, profile)
  return profile
}

/** What an actor sees of a link. */
function shownTo (by: Actor, { passwordLink, ...sent }: SentLink): SentLink {
  const { linkEndsAt } = passwordLink
  return { ...sent, passwordLink: mayManageUsers(by) || 'mailedTo' in passwordLink ? passwordLink : { linkEndsAt } }
}

/** @throws Refusal if a link to this address cannot be emailed */
function assertCanMail ({ mail }: Config, email: string | null | undefined): void {
  if (!sendsMail(mail)) throw conflict('email', reason('reason.no-mail'))
  if (!email) throw conflict('email', reason('reason.no-address'))
}

/** @throws Refusal if the password is not acceptable */
async function hash (wanted: NewPassword, owner: PasswordOwner): Promise<string> {
  assertValid({ password: [await whyNotPassword(wanted, owner)] })
  return await hashPassword(wanted.password)
}

/** @throws Refusal if the user name is taken, or a role is unknown */
async function register (
  stores: UserStores,
  user: Partial<Profile> & { readonly username: string, readonly passwordHash: string, readonly isInvited: boolean },
  roles: readonly string[] = [],
  by: Actor
): Promise<UserDetails> {
  const id = randomUUID()
  const details = roles.length === 0 ? {} : { roles: roles.join(' ') }
  const { users } = recorded(stores, user.isInvited ? 'user invite' : 'user add', { userId: id, details }, by)
  const isAdded = await users.add({ id, demo: false, ...user }, roles)
  if (isAdded === null) throw await unknownRole(stores, ...roles)
  if (!isAdded) throw takenUsername(user.username)
  return await findDetails(stores, user.username)
}
