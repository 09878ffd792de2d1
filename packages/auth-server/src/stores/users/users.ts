import { databaseTime } from '@frontdesk/database/clock'
import { isDuplicate } from '@frontdesk/database/conflict'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { empty, execute, executeStep, join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { unlessRightLost, type Administrator } from '../access/administrators.js'
import { createAccessEnd } from '../access/end-access.js'
import { accessEpoch } from '../access/live-grant.js'
import { lockUser } from '../access/roles.js'
import { foldedEmail, foldEmail, foldUsername, isUser, refreshSearchKey, resemblesEmail, setHash, USER, type UserKey } from './user-columns.js'
import { openUserImport, type UserImport } from './user-import.js'
import { openInvitations, type Invitations } from './invitations.js'
import { createUserInsertion, type NewUser } from './user-insertion.js'
import { openUserErasure, type UserErasure } from './user-erasure.js'
import { openDataExport, type DataExport } from './data-export.js'
import { openUserDataQuery, type UserDataQuery } from './stored-data.js'
import { openUserList, type UserList } from './user-list.js'
import { openUserLookup, type UserLookup } from './user-lookup.js'

/** A resource owner who can sign in. */
export type User = Row<typeof USER>

/** How a password link was handed over. */
export interface HandedLink {
  /** Address that received it. It must still be the user's, and becomes verified. */
  readonly mailedTo?: string | undefined
  /** The administrator or client who saw it, if not at a shell. They must still have the right to make it. */
  readonly shownTo?: Administrator | undefined
}

/** The users. Their names are compared after NFKC and case folding. */
export interface Users extends DataExport, Invitations, UserErasure, UserDataQuery, UserImport, UserList, UserLookup {
  /** User names by id; unknown ids are left out. */
  names (ids: readonly string[]): Promise<Map<string, string>>
  /** The names of enabled demo users. */
  demo (): Promise<string[]>
  /** Adds a user with roles. Atomic: returns `false` if the user name is taken, `null` if a role is unknown, with nothing changed. */
  add (user: NewUser, roles?: readonly string[]): Promise<boolean | null>
  /**
   * Atomic: sets the password, ends all sessions and revokes all codes and tokens. Remembered consent stays. Returns `false` for an
   * unknown user.
   */
  setPassword (user: UserKey, passwordHash: string): Promise<boolean>
  /**
   * Atomic: does the same only if the verified password is still the current one, so that exactly one concurrent change succeeds.
   * Returns the changed user; `null`, with nothing changed, if the password was changed or access revoked in the meantime.
   * @param link how the password link was handed over, if one is used
   */
  changePassword (verified: User, passwordHash: string, link?: HandedLink): Promise<User | null>
  /** Atomic: records that a user has signed in. Returns whether it is the first time. */
  noteSignIn (id: string): Promise<boolean>
  /** Disables a user, ends all sessions and revokes all tokens; or enables. Returns `false` for an unknown user. */
  setDisabled (user: UserKey, disabledAt: Date | null): Promise<boolean>
  /** Ends all sessions of a user and revokes all tokens. Remembered consent stays. */
  endAccess (id: string): Promise<void>
  /** Atomic: changes a user name. `foreign`: it resembles an email address, but is not the user's own verified one. */
  rename (user: UserKey, wanted: string): Promise<'renamed' | 'taken' | 'unknown' | 'foreign'>
}

export function openUsers (connection: Connection): Users {
  const lookup = openUserLookup(connection)
  const access = createAccessEnd(connection)
  const addUser = createUserInsertion(connection)
  const now = raw(databaseTime(connection))
  const ownEmail = raw(foldedEmail(connection))
  const currentEpoch = raw(accessEpoch('user_account.id', "''"))
  const endAccess = (userId: string): Steps<number> => access.steps([{ userId }])

  /** Updates a user. Returns the id; `null` for an unknown one. */
  function * update (user: UserKey, assignments: Sql, condition = empty): Steps<string | null> {
    const [changed] = yield * queryStep(connection, { id: 'string' }, sql`
      UPDATE user_account SET ${assignments}, updated_at = ${now} WHERE ${isUser(user)} ${condition} RETURNING id`)
    return changed?.id ?? null
  }

  return {
    async names (ids) {
      if (ids.length === 0) return new Map()
      const found = await query(connection, { id: 'string', username: 'string' }, sql`
        SELECT id, username FROM user_account WHERE id IN (${join([...new Set(ids)])})`)
      return new Map(found.map(({ id, username }) => [id, username]))
    },
    async demo () {
      const found = await query(connection, { username: 'string' }, sql`
        SELECT username FROM user_account WHERE demo AND disabled_at IS NULL`)
      return found.map(({ username }) => username)
    },
    add: (user, roles = []) => connection.transact(() => addUser(user, roles)),
    setPassword: (user, passwordHash) => connection.transact(function * () {
      const id = yield * update(user, sql`${setHash(passwordHash)}, password_set_at = ${now}`)
      if (id !== null) yield * endAccess(id)
      return id !== null
    }),
    changePassword: (verified, passwordHash, { mailedTo, shownTo } = {}) => unlessRightLost(connection, shownTo, function * () {
      const { id, passwordHash: before, epoch } = verified
      const [verifies, isMailed] = mailedTo === undefined ? [empty, empty] : [sql`email_verified = true,`, sql`AND email = ${mailedTo}`]
      // Waits for changes of the user's access, so that the statement sees them.
      yield * lockUser(connection, id)
      const changed = yield * executeStep(connection, sql`
        UPDATE user_account SET ${setHash(passwordHash)}, password_set_at = ${now}, ${verifies} updated_at = ${now}
        WHERE id = ${id} AND password_hash = ${before} AND disabled_at IS NULL AND ${currentEpoch} = ${epoch} ${isMailed}`)
      return changed === 0 ? null : { ...verified, passwordHash, foreignCost: null, epoch: yield * endAccess(id) }
    }),
    noteSignIn: async id => await execute(connection, sql`
      UPDATE user_account SET first_sign_in_at = ${now} WHERE id = ${id} AND first_sign_in_at IS NULL`) === 1,
    setDisabled: (user, disabledAt) => connection.transact(function * () {
      const id = yield * update(user, sql`disabled_at = ${disabledAt}`)
      if (id !== null && disabledAt !== null) yield * endAccess(id)
      return id !== null
    }),
    async endAccess (id) { await connection.transact(() => endAccess(id)) },
    async rename (user, wanted) {
      try {
        const assignments = sql`username = ${wanted}, username_key = ${foldUsername(wanted)}`
        const isOwn = resemblesEmail(wanted) ? sql`AND email_verified AND ${ownEmail} = ${foldEmail(wanted)}` : empty
        const id = await connection.transact(function * () {
          const id = yield * update(user, assignments, isOwn)
          if (id !== null) yield * refreshSearchKey(connection, id)
          return id
        })
        if (id !== null) return 'renamed'
        return isOwn !== empty && await lookup.find(user) !== null ? 'foreign' : 'unknown'
      } catch (error) {
        if (isDuplicate(error)) return 'taken'
        throw error
      }
    },
    ...lookup,
    ...openUserErasure(connection),
    ...openUserImport(connection),
    ...openInvitations(connection),
    ...openUserList(connection),
    ...openDataExport(connection),
    ...openUserDataQuery(connection)
  }
}
