import { Batcher } from '@frontdesk/database/batch'
import { databaseTime } from '@frontdesk/database/clock'
import { isDuplicate } from '@frontdesk/database/conflict'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { empty, join, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames } from '@frontdesk/database/table'
import { userAttributes } from '../../oauth/user-fields.js'
import { createAccessEnd } from '../access/end-access.js'
import { accessEpoch, grantEpoch, withheld } from '../access/live-grant.js'
import type { Profile } from './profiles.js'
import { foldUsername, COLUMNS, userColumns } from './user-columns.js'
import { openUserErasure, type UserErasure } from './user-erasure.js'
import { openUserHoldings, type UserHoldings } from './stored-data.js'
import { openUserList, type UserList } from './user-list.js'

/** A resource owner who can sign in. */
export type User = Row<typeof COLUMNS>

/** A person, as read to sign in at a client. */
export interface FoundUser extends User {
  /** Sum of the access epochs of the person, the client, and the person at the client: a grant with an outdated sum is refused. */
  readonly grantEpoch: number
  /** Scopes that the user cannot grant, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** A person to register, with any attributes. */
export type NewUser = Omit<User, 'disabledAt' | 'createdAt' | 'epoch'> & Partial<Profile>

/** The people who can sign in. User names are compared after NFKC and case folding. */
export interface Users extends UserErasure, UserHoldings, UserList {
  /** The person with that user name, disabled or not; `null` if unknown. */
  find (username: string, clientId?: string): Promise<FoundUser | null>
  /** The user names of the ids that exist. */
  names (ids: readonly string[]): Promise<Map<string, string>>
  /** The user names of demo users who can sign in. */
  demo (): Promise<string[]>
  /** Adds a person. Returns `false`, with nothing changed, if the user name is taken. */
  add (user: NewUser): Promise<boolean>
  /**
   * Atomic: sets the password, ends every session and revokes all codes and tokens of apps. Remembered consent stays. Returns
   * `false` for an unknown user name.
   */
  setPassword (username: string, passwordHash: string): Promise<boolean>
  /**
   * Atomic: does the same only if the verified password is still the current one, so that one of concurrent changes succeeds.
   * Returns the changed person; `null`, with nothing changed, if the password was changed or access revoked in the meantime.
   * @param mailedTo the address that proved who it is, which must still be the person's, and is verified by it
   */
  changePassword (verified: User, passwordHash: string, mailedTo?: string): Promise<User | null>
  /** Disables the person, ends every session and revokes all tokens of apps; or enables. Returns `false` for an unknown user name. */
  setDisabled (username: string, disabledAt: Date | null): Promise<boolean>
  /** Ends every session of the person and revokes all tokens of apps. Remembered consent stays. */
  endAccess (id: string): Promise<void>
  /** Changes the user name, and nothing else. */
  rename (username: string, wanted: string): Promise<'renamed' | 'taken' | 'unknown'>
}

/** {@link Users} in a database. */
export function openUsers (connection: Connection): Users {
  const reads = userReads(connection)
  const access = createAccessEnd(connection)
  const now = raw(databaseTime(connection))
  const currentEpoch = raw(accessEpoch('user_account.id', "''"))
  const endAccess = (userId: string): Steps<number> => access.steps([{ userId }])

  return {
    // PostgreSQL's text cannot hold NUL: it would fail.
    find: async (username, clientId = '') => username.includes('\0') ? null : await reads.run({ key: foldUsername(username), clientId }),
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
        const added = yield * queryStep(connection, { id: 'string' }, sql`
          INSERT INTO user_account (${raw(columnNames(row))}, created_at, updated_at)
          VALUES (${join(Object.values(row))}, ${now}, ${now})
          ON CONFLICT DO NOTHING RETURNING id`)
        return added.length === 1
      })
    },
    setPassword: (username, passwordHash) => connection.transact(function * () {
      const [changed] = yield * queryStep(connection, { id: 'string' }, sql`
        UPDATE user_account SET password_hash = ${passwordHash}, updated_at = ${now}
        WHERE username_key = ${foldUsername(username)} RETURNING id`)
      if (changed !== undefined) yield * endAccess(changed.id)
      return changed !== undefined
    }),
    changePassword: (verified, passwordHash, mailedTo) => connection.transact(function * (): Steps<User | null> {
      const { id, passwordHash: before, epoch } = verified
      const [verifies, isMailed] = mailedTo === undefined ? [empty, empty] : [sql`email_verified = true,`, sql`AND email = ${mailedTo}`]
      // Conditional: of two changes after the same verified password, one succeeds.
      const changed = yield * queryStep(connection, { id: 'string' }, sql`
        UPDATE user_account SET password_hash = ${passwordHash}, ${verifies} updated_at = ${now}
        WHERE id = ${id} AND password_hash = ${before} AND disabled_at IS NULL AND ${currentEpoch} = ${epoch} ${isMailed} RETURNING id`)
      return changed.length === 0 ? null : { ...verified, passwordHash, epoch: yield * endAccess(id) }
    }),
    setDisabled: (username, disabledAt) => connection.transact(function * () {
      const [changed] = yield * queryStep(connection, { id: 'string' }, sql`
        UPDATE user_account SET disabled_at = ${disabledAt}, updated_at = ${now}
        WHERE username_key = ${foldUsername(username)} RETURNING id`)
      if (changed !== undefined && disabledAt !== null) yield * endAccess(changed.id)
      return changed !== undefined
    }),
    async endAccess (id) { await connection.transact(() => endAccess(id)) },
    async rename (username, wanted) {
      try {
        const isRenamed = await connection.transact(function * () {
          const renamed = yield * queryStep(connection, { id: 'string' }, sql`
            UPDATE user_account SET username = ${wanted}, username_key = ${foldUsername(wanted)}, updated_at = ${now}
            WHERE username_key = ${foldUsername(username)} RETURNING id`)
          return renamed.length === 1
        })
        return isRenamed ? 'renamed' : 'unknown'
      } catch (error) {
        if (isDuplicate(error)) return 'taken'
        throw error
      }
    },
    ...openUserErasure(connection),
    ...openUserList(connection),
    ...openUserHoldings(connection)
  }
}

/** Finds people by folded user names, in batches. */
function userReads (connection: Connection): Batcher<{ key: string, clientId: string }, FoundUser | null> {
  const row = { key: 'string', clientId: 'string', ...COLUMNS, grantEpoch: 'int', withheld: 'string?' } as const
  const statement = listStatement(connection, {
    entry: { key: 'string', clientId: 'string' },
    sql: entries => `
      SELECT ${userColumns(row, {
        key: 'entry.key',
        clientId: 'entry.client_id',
        grantEpoch: grantEpoch('user_account.id', 'entry.client_id'),
        withheld: withheld('user_account.id')
      })}
      FROM ${entries} JOIN user_account ON username_key = entry.key`,
    row
  })
  return new Batcher(async asked => {
    const rows = await statement.run(asked)
    const found = new Map(rows.map(({ key, clientId, ...user }) => [`${key} ${clientId}`, user]))
    return asked.map(({ key, clientId }) => found.get(`${key} ${clientId}`) ?? null)
  }, connection)
}
