import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql } from '@frontdesk/database/sql'
import { hasAccess } from '../access/live-grant.js'
import { PROFILE } from './profiles.js'
import { foldUsername, USER, userColumns } from './user-columns.js'

const LISTED = { ...USER, ...PROFILE }

type ListedUser = Row<typeof LISTED>

interface UserQuery {
  /** A part of the user name, a name or the email address, case-insensitive. */
  readonly search?: string | undefined
  /** Only users after this user name. */
  readonly after?: string | undefined
  /** Only users who gave this client access: it has a live grant, or remembered consent. */
  readonly clientId?: string | undefined
  readonly limit?: number
}

export interface UserList {
  /** Users, disabled or not, by user name. */
  list (query?: UserQuery): Promise<ListedUser[]>
  /** The first user names in order. */
  usernames (limit: number): Promise<string[]>
}

export const MAX_LISTED_USERS = 10_000

/** Opens the list. The search is in the stored text: SQLite folds the case of ASCII letters only. */
export function openUserList (connection: Connection): UserList {
  const now = raw(databaseTime(connection))
  const position = raw(connection.dialect === 'sqlite' ? 'instr' : 'strpos')
  return {
    usernames: async limit => (await query(connection, { username: 'string' }, sql`
      SELECT username FROM user_account ORDER BY username_key LIMIT ${limit}`)).map(({ username }) => username),
    async list ({ search = '', after = '', clientId, limit = MAX_LISTED_USERS } = {}) {
      const sought = foldUsername(search)
      const access = clientId === undefined ? sql`true` : hasAccess(sql`user_account.id`, sql`${clientId}`, now)
      const matches = sought === '' ? sql`true` : sql`${position}(search_key, ${sought}) > 0`
      return await query(connection, LISTED, sql`
        SELECT ${raw(userColumns(LISTED))} FROM user_account WHERE username_key > ${foldUsername(after)} AND ${matches} AND ${access}
        ORDER BY username_key LIMIT ${limit}`)
    }
  }
}
