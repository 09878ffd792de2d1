import { databaseTime } from '@frontdesk/database/clock'
import { isDuplicate } from '@frontdesk/database/conflict'
import type { Connection } from '@frontdesk/database/connection'
import { createLookup } from '@frontdesk/database/lookup'
import type { Row } from '@frontdesk/database/rows'
import { empty, executeStep, join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames } from '@frontdesk/database/table'
import { userAttributes } from '../../oauth/user-fields.js'
import { createAccessEnd } from '../access/end-access.js'
import { accessEpoch, grantEpoch, withheld } from '../access/live-grant.js'
import type { Profile } from './profiles.js'
import { foldUsername, USER, userColumns } from './user-columns.js'
import { openUserErasure, type UserErasure } from './user-erasure.js'
import { openUserDataQuery, type UserDataQuery } from './stored-data.js'
import { openUserList, type UserList } from './user-list.js'

/** A resource owner who can sign in. */
export type User = Row<typeof USER>

/** A user who signs in at a client. */
export interface FoundUser extends User {
  /** See {@link grantEpoch}. */
  readonly grantEpoch: number
  /** Scopes that the user cannot grant, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** A user to add, with any attributes. */
export type NewUser = Omit<User, 'disabledAt' | 'createdAt' | 'epoch'> & Partial<Profile>

/** The users. Their names are compared after NFKC and case folding. */
export interface Users extends UserErasure, UserDataQuery, UserList {
  /** The user with this name, disabled or not; `null` if unknown. Concurrent calls share a statement. */
  find (username: string, clientId?: string): Promise<FoundUser | null>
  /** User names by id; unknown ids are left out. */
  names (ids: readonly string[]): Promise<Map<string, string>>
  /** The names of enabled demo users. */
  demo (): Promise<string[]>
  /** Adds a user. Returns `false`, with nothing changed, if the name is taken. */
  add (user: NewUser): Promise<boolean>
  /**
   * Atomic: sets the password, ends all sessions and revokes all codes and tokens. Remembered consent stays. Returns `false` for an
   * unknown user name.
   */
  setPassword (username: string, passwordHash: string): Promise<boolean>
  /**
   * Atomic: does the same only if the verified password is still the current one, so that exactly one concurrent change succeeds.
   * Returns the changed user; `null`, with nothing changed, if the password was changed or access revoked in the meantime.
   * @param mailedTo address that received the link. It must still be the user's, and becomes verified
   */
  changePassword (verified: User, passwordHash: string, mailedTo?: string): Promise<User | null>
  /** Disables a user, ends all sessions and revokes all tokens; or enables. Returns `false` for an unknown user name. */
  setDisabled (username: string, disabledAt: Date | null): Promise<boolean>
  /** Ends all sessions of a user and revokes all tokens. Remembered consent stays. */
  endAccess (id: string): Promise<void>
  rename (username: string, wanted: string): Promise<'renamed' | 'taken' | 'unknown'>
}

export function openUsers (connection: Connection): Users {
  const find = createUserLookup(connection)
  const access = createAccessEnd(connection)
  const now = raw(databaseTime(connection))
  const currentEpoch = raw(accessEpoch('user_account.id', "''"))
  const endAccess = (userId: string): Steps<number> => access.steps([{ userId }])

  /** Updates a user. Returns the id; `null` for an unknown name. */
  function * update (username: string, assignments: Sql): Steps<string | null> {
    const [changed] = yield * queryStep(connection, { id: 'string' }, sql`
      UPDATE user_account SET ${assignments}, updated_at = ${now} WHERE username_key = ${foldUsername(username)} RETURNING id`)
    return changed?.id ?? null
  }

  return {
    async find (username, clientId = '') {
      // PostgreSQL rejects NUL in text.
      const found = username.includes('\0') ? null : await find({ key: foldUsername(username), clientId })
      if (found === null) return null
      const { key, clientId: _, ...user } = found
      return user
    },
    async names (ids) {
      if (ids.length === 0) return new Map()
      const found = await query(connection, { id: 'string', username: 'string' }, sql`
        SELECT id, username FROM user_account WHERE id IN (${join([...new Set(ids)])})`)
      return new Map(found.map(({ id, username }) => [id, username]))
    },
    async demo () {
      const found = await query(connection, { username: 'string' }, sql`SELECT username FROM user_account WHERE demo AND disabled_at IS NULL`)
      return found.map(({ username }) => username)
    },
    async add (user) {
      const { id, username, passwordHash, demo } = user
      const attributes = Object.fromEntries(userAttributes.map(name => [name, user[name] ?? (name === 'emailVerified' ? false : null)]))
      const row = { id, username, usernameKey: foldUsername(username), passwordHash, demo, ...attributes }
      return await connection.transact(function * () {
        return (yield * executeStep(connection, sql`
          INSERT INTO user_account (${raw(columnNames(row))}, created_at, updated_at)
          VALUES (${join(Object.values(row))}, ${now}, ${now}) ON CONFLICT DO NOTHING`)) === 1
      })
    },
    setPassword: (username, passwordHash) => connection.transact(function * () {
      const id = yield * update(username, sql`password_hash = ${passwordHash}`)
      if (id !== null) yield * endAccess(id)
      return id !== null
    }),
    changePassword: (verified, passwordHash, mailedTo) => connection.transact(function * (): Steps<User | null> {
      const { id, passwordHash: before, epoch } = verified
      const [verifies, isMailed] = mailedTo === undefined ? [empty, empty] : [sql`email_verified = true,`, sql`AND email = ${mailedTo}`]
      const changed = yield * executeStep(connection, sql`
        UPDATE user_account SET password_hash = ${passwordHash}, ${verifies} updated_at = ${now}
        WHERE id = ${id} AND password_hash = ${before} AND disabled_at IS NULL AND ${currentEpoch} = ${epoch} ${isMailed}`)
      return changed === 0 ? null : { ...verified, passwordHash, epoch: yield * endAccess(id) }
    }),
    setDisabled: (username, disabledAt) => connection.transact(function * () {
      const id = yield * update(username, sql`disabled_at = ${disabledAt}`)
      if (id !== null && disabledAt !== null) yield * endAccess(id)
      return id !== null
    }),
    async endAccess (id) { await connection.transact(() => endAccess(id)) },
    async rename (username, wanted) {
      try {
        const assignments = sql`username = ${wanted}, username_key = ${foldUsername(wanted)}`
        return await connection.transact(() => update(username, assignments)) === null ? 'unknown' : 'renamed'
      } catch (error) {
        if (isDuplicate(error)) return 'taken'
        throw error
      }
    },
    ...openUserErasure(connection),
    ...openUserList(connection),
    ...openUserDataQuery(connection)
  }
}

function createUserLookup (connection: Connection) {
  const entry = { key: 'string', clientId: 'string' } as const
  const row = { ...entry, ...USER, grantEpoch: 'int', withheld: 'string?' } as const
  return createLookup(connection, {
    entry,
    sql: entries => `
      SELECT ${userColumns(row, {
        key: 'entry.key',
        clientId: 'entry.client_id',
        grantEpoch: grantEpoch('user_account.id', 'entry.client_id'),
        withheld: withheld('user_account.id')
      })}
      FROM ${entries} JOIN user_account ON username_key = entry.key`,
    row
  }, 'key', 'clientId')
}
