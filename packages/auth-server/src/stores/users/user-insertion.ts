import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, join, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames } from '@frontdesk/database/table'
import { userAttributes } from '../../oauth/user-fields.js'
import { createAssignment } from '../access/roles.js'
import type { Profile } from './profiles.js'
import { foldUsername, searchKey } from './user-columns.js'

/** A user to add, with any attributes. */
export interface NewUser extends Partial<Profile> {
  readonly id: string
  readonly username: string
  readonly passwordHash: string
  readonly demo: boolean
  /** Whether no one knows the password: the user is to set one. */
  readonly isInvited?: boolean
  /** The version of the terms that the user accepts. */
  readonly termsVersion?: string | null
}

/**
 * Makes the steps that add a user with roles. They return `false` if the user name is taken, `null` if a role is unknown, with nothing
 * changed.
 */
export function createUserInsertion (connection: Connection) {
  const { isKnown, assign } = createAssignment(connection)
  const now = raw(databaseTime(connection))

  return function * addUser (
    { isInvited = false, termsVersion = null, ...user }: NewUser, roles: readonly string[]
  ): Steps<boolean | null> {
    const { id, username, passwordHash, demo } = user
    const attributes = Object.fromEntries(userAttributes.map(name => [name, user[name] ?? (name === 'emailVerified' ? false : null)]))
    const keys = { usernameKey: foldUsername(username), searchKey: searchKey(user) }
    const row = { id, username, ...keys, passwordHash, termsVersion, demo, ...attributes }
    const [passwordSetAt, termsAcceptedAt] = [!isInvited, termsVersion !== null].map(isNow => isNow ? now : raw('NULL'))
    // First, so that nothing is changed.
    if (!(yield * isKnown(roles))) return null
    const added = yield * executeStep(connection, sql`
      INSERT INTO user_account (${raw(columnNames(row))}, terms_accepted_at, password_set_at, created_at, updated_at)
      VALUES (${join(Object.values(row))}, ${termsAcceptedAt}, ${passwordSetAt}, ${now}, ${now})
      ON CONFLICT DO NOTHING`)
    if (added === 0) return false
    yield * assign(id, roles)
    return true
  }
}
