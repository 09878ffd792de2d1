import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { createLookup } from '@frontdesk/database/lookup'
import type { Row } from '@frontdesk/database/rows'
import { empty, join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columnOf, pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { builtInRoles } from '../../oauth/admin-scopes.js'
import { userAttributes } from '../../oauth/user-fields.js'
import { createAssignment, type UserRoles } from '../access/roles.js'
import { standingStep, type StandingCheck } from './standing.js'
import { foldedEmail, foldEmail, foldUsername, isUser, keyOf, refreshSearchKey, USER, userColumns, type UserKey } from './user-columns.js'
import { lockVerified, type VerifiedUser } from './verified-user.js'

export const PROFILE = pick(user, ...userAttributes)

/** The attributes of a user, which become claims (OpenID Connect Core §5.1). `null`: not set. */
export type Profile = Row<typeof PROFILE>

const USER_PROFILE = { ...pick(user, 'id', 'username', 'updatedAt'), ...PROFILE }

/** A user with their attributes. */
export type UserProfile = Row<typeof USER_PROFILE>

const STORED = { ...USER, ...PROFILE }

const FOUND = { ...USER_PROFILE, roles: 'string?' } as const

/** An enabled user with attributes, and roles that operators have added, space-separated; `null`: none. */
export type FoundProfile = Row<typeof FOUND>

/** A user with attributes and roles. */
type StoredUser = Row<typeof STORED> & { readonly roles: readonly string[] }

/** The attributes of users. */
export interface Profiles {
  /** The user with this id; `null` if unknown or disabled. Concurrent calls share a statement. */
  find (userId: string): Promise<FoundProfile | null>
  /** A user, disabled or not; `null` if unknown. */
  findAny (user: UserKey): Promise<UserProfile | null>
  /**
   * The enabled users with this user name or email address who have a verified address. If they share the address, the first
   * {@link MAX_USERS_PER_ADDRESS} by user name.
   */
  findRecipients (typed: string): Promise<Array<UserProfile & { email: string }>>
  /** The users, disabled or not, who have this verified address: the first {@link MAX_USERS_PER_ADDRESS} by user name. */
  findHolders (email: string): Promise<Array<Pick<UserProfile, 'id' | 'username' | 'locale'>>>
  /**
   * Changes only the given attributes, so that concurrent changes of others are kept. Returns `false` for an unknown user.
   * A different email address is unverified, unless the change verifies it.
   * @param roles also changes the roles, as {@link Roles.assign} does. Atomic: returns `false`, with nothing changed, if one is unknown
   * @param check called while the user is locked; if it throws, nothing is changed. It can be called again for a retry
   */
  change (user: UserKey, change: Partial<Profile>, roles?: UserRoles, check?: (before: StoredUser) => void): Promise<boolean>
  /**
   * The same by user id. Returns `false` if unknown or disabled, or if the change would replace a verified address other than
   * `replaceable`.
   * @param replaceable the verified address that the change can replace or remove; `null`: none. Default: any
   */
  changeOwn (userId: string, change: Partial<Profile>, replaceable?: string | null): Promise<boolean>
  /**
   * Atomic: verifies an email address if it is that of the user. Returns `false` if it is not, the password was changed or access revoked
   * since it was verified, or `mayVerify` returns `false`.
   */
  verifyEmail (user: VerifiedUser, email: string, mayVerify: StandingCheck): Promise<boolean>
}

/** Maximum users found by one email address. */
const MAX_USERS_PER_ADDRESS = 5

const columns = columnNames(USER_PROFILE)

/** SQL list of the built-in roles. */
const BUILT_IN = Object.keys(builtInRoles).map(name => `'${name}'`).join(', ')

export function openProfiles (connection: Connection): Profiles {
  const find = createLookup(connection, {
    entry: { id: 'string' },
    sql: entries => `
      SELECT ${columns}, (SELECT string_agg(role, ' ') FROM user_role WHERE user_id = user_account.id AND role NOT IN (${BUILT_IN}))
      FROM user_account WHERE id IN (SELECT entry.id FROM ${entries}) AND disabled_at IS NULL`,
    row: FOUND
  }, 'id')
  const now = raw(databaseTime(connection))
  const lock = raw(lockInOrder(connection, 'id'))
  const assignment = createAssignment(connection)
  function * update (change: Partial<Profile>, where: Sql): Steps<string | undefined> {
    const updatedAt = Object.keys(change).length === 0 ? raw('updated_at') : now
    const [changed] = yield * queryStep(connection, { id: 'string' }, sql`
      UPDATE user_account SET ${join([...assignments(change), sql`updated_at = ${updatedAt}`])} WHERE ${where} RETURNING id`)
    if (changed !== undefined && Object.keys(change).length > 0) yield * refreshSearchKey(connection, changed.id)
    return changed?.id
  }
  return {
    // PostgreSQL rejects NUL in text.
    find: async id => id.includes('\0') ? null : await find({ id }),
    async findAny (user) {
      if (keyOf(user).includes('\0')) return null
      const [found] = await query(connection, USER_PROFILE, sql`
        SELECT ${raw(columns)} FROM user_account WHERE ${isUser(user)}`)
      return found ?? null
    },
    async findRecipients (typed) {
      if (typed.includes('\0')) return []
      const find = async (where: Sql) => await query(connection, { ...USER_PROFILE, email: 'string' }, sql`
        SELECT ${raw(columns)} FROM user_account WHERE ${where} AND email_verified AND email IS NOT NULL AND disabled_at IS NULL
        ORDER BY username_key LIMIT ${MAX_USERS_PER_ADDRESS}`)
      const named = await find(sql`username_key = ${foldUsername(typed)}`)
      const addressed = typed.includes('@') ? await find(sql`${raw(foldedEmail(connection))} = ${foldEmail(typed)}`) : []
      return [...named, ...addressed.filter(({ id }) => id !== named[0]?.id)]
    },
    findHolders: async email => await query(connection, pick(user, 'id', 'username', 'locale'), sql`
      SELECT id, username, locale FROM user_account WHERE ${raw(foldedEmail(connection))} = ${foldEmail(email)} AND email_verified
      ORDER BY username_key LIMIT ${MAX_USERS_PER_ADDRESS}`),
    change: (user, change, roles, check) => connection.transact(function * () {
      // First, so that `false` means that nothing is changed.
      if (roles !== undefined && !(yield * assignment.isKnown(roles))) return false
      if (check !== undefined) {
        const [before] = yield * queryStep(connection, STORED, sql`
          SELECT ${raw(userColumns(STORED))} FROM user_account WHERE ${isUser(user)} ${lock}`)
        if (before !== undefined) check({ ...before, roles: yield * assignment.of(before.id) })
      }
      const id = yield * update(change, isUser(user))
      if (id !== undefined && roles !== undefined) yield * assignment.assign(id, roles)
      return id !== undefined
    }),
    changeOwn: (userId, change, replaceable) => connection.transact(function * () {
      // `email = NULL` is not true.
      const isReplaceable = change.email === undefined || replaceable === undefined
        ? empty
        : sql`AND (NOT email_verified OR email = ${change.email} OR email = ${replaceable})`
      return (yield * update(change, sql`id = ${userId} AND disabled_at IS NULL ${isReplaceable}`)) !== undefined
    }),
    verifyEmail: (user, email, mayVerify) => connection.transact(function * () {
      if (!(yield * lockVerified(connection, user))) return false
      const standing = yield * standingStep(connection, user.id)
      if (standing === null || !mayVerify(standing)) return false
      return (yield * update({ emailVerified: true }, sql`id = ${user.id} AND email = ${email}`)) !== undefined
    })
  }
}

function assignments ({ email, emailVerified, ...others }: Partial<Profile>): Sql[] {
  const all = Object.entries(others).map(([attribute, value]) => sql`${raw(columnOf(attribute))} = ${value}`)
  if (email !== undefined) all.push(sql`email = ${email}`)
  if (emailVerified === false || email === null) all.push(sql`email_verified = false`)
  else if (emailVerified === true) all.push(email === undefined ? sql`email_verified = (email IS NOT NULL)` : sql`email_verified = true`)
  // Compared in the statement, because a concurrent change can set the address.
  else if (email !== undefined) all.push(sql`email_verified = (email_verified AND email IS NOT DISTINCT FROM ${email})`)
  return all
}
