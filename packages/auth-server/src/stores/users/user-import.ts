import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { execute, query, sql } from '@frontdesk/database/sql'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { user, userRole } from '../../generated/tables.js'
import { PROFILE } from './profiles.js'
import { foldUsername, searchKey, setHash } from './user-columns.js'
import type { VerifiedUser } from './verified-user.js'

const IMPORTED = {
  ...pick(user, 'id', 'username', 'passwordHash', 'foreignCost', 'passwordSetAt', 'disabledAt', 'invitationDueAt'), ...PROFILE
}
const ADDED = { ...IMPORTED, ...pick(user, 'usernameKey', 'searchKey', 'demo') }

/** A user of another server, with the names of roles. */
export type ImportedUser = Row<typeof IMPORTED> & { readonly roles: readonly string[] }

/** What an import needs, and what replaces imported hashes. */
export interface UserImport {
  /**
   * Atomic: adds the users whose ids and user names are free, with those of the roles that exist. Returns the ids of the added ones;
   * `null`: none.
   */
  addAll (users: readonly ImportedUser[]): Promise<Set<string> | null>
  /** Those of these ids and user names that users have; the names as `foldUsername` returns them. */
  findTaken (users: ReadonlyArray<Pick<ImportedUser, 'id' | 'username'>>): Promise<{ ids: Set<string>, names: Set<string> }>
  /** Atomic: replaces a verified hash by one of the same password. Ends no session. Returns `false` if it is not the current one. */
  replaceHash (verified: Pick<VerifiedUser, 'id' | 'passwordHash'>, passwordHash: string): Promise<boolean>
  /** The imported hash of an enabled user that takes longest to check; `null` if none remains. */
  findSlowestHash (): Promise<Pick<ImportedUser, 'passwordHash'> & { readonly foreignCost: number } | null>
}

export function openUserImport (connection: Connection): UserImport {
  const now = databaseTime(connection)
  const insertion = listStatement(connection, {
    entry: ADDED,
    sql: entries => `
      INSERT INTO user_account (${columnNames(ADDED)}, created_at, updated_at)
      SELECT ${columns(ADDED, 'entry')}, ${now}, ${now} FROM ${entries} WHERE true ON CONFLICT DO NOTHING RETURNING id`,
    row: pick(user, 'id')
  })
  const assignment = listStatement(connection, {
    entry: userRole.columns,
    sql: entries => `
      INSERT INTO user_role (user_id, role) SELECT entry.user_id, role.name FROM ${entries} JOIN role ON role.name = entry.role
      WHERE true ON CONFLICT DO NOTHING`
  })
  const takenIds = listStatement(connection, {
    entry: pick(user, 'id'),
    sql: entries => `SELECT id FROM user_account WHERE id IN (SELECT entry.id FROM ${entries})`,
    row: pick(user, 'id')
  })
  const takenNames = listStatement(connection, {
    entry: pick(user, 'usernameKey'),
    sql: entries => `SELECT username_key FROM user_account WHERE username_key IN (SELECT entry.username_key FROM ${entries})`,
    row: pick(user, 'usernameKey')
  })

  return {
    async addAll (users) {
      const rows = users.map(({ roles, ...user }) => ({
        ...user, usernameKey: foldUsername(user.username), searchKey: searchKey(user), demo: false
      }))
      // In the same order in every transaction, so that concurrent imports do not deadlock.
      rows.sort((one, other) => one.usernameKey < other.usernameKey ? -1 : 1)
      return await connection.transact(function * () {
        const added = new Set((yield * insertion.step(rows)).map(({ id }) => id))
        yield * assignment.step(users.flatMap(({ id, roles }) => added.has(id) ? roles.map(role => ({ userId: id, role })) : []))
        return added.size === 0 ? null : added
      })
    },
    async findTaken (users) {
      const [ids, names] = await Promise.all([
        takenIds.run(users.map(({ id }) => ({ id }))),
        takenNames.run(users.map(({ username }) => ({ usernameKey: foldUsername(username) })))
      ])
      return { ids: new Set(ids.map(({ id }) => id)), names: new Set(names.map(({ usernameKey }) => usernameKey)) }
    },
    replaceHash: async ({ id, passwordHash: before }, passwordHash) => await execute(connection, sql`
      UPDATE user_account SET ${setHash(passwordHash)} WHERE id = ${id} AND password_hash = ${before}`) === 1,
    async findSlowestHash () {
      const [found] = await query(connection, { passwordHash: 'string', foreignCost: 'int' }, sql`
        SELECT password_hash, foreign_cost FROM user_account WHERE foreign_cost IS NOT NULL AND disabled_at IS NULL
        ORDER BY foreign_cost DESC LIMIT 1`)
      return found ?? null
    }
  }
}
