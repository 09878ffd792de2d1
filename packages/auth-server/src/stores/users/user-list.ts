import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql } from '@frontdesk/database/sql'
import { hasAccess } from '../access/live-grant.js'
import { PROFILE } from './profiles.js'
import { foldUsername, COLUMNS, userColumns } from './user-columns.js'

const LISTED = { ...COLUMNS, ...PROFILE }

/** A person with their attributes. */
type ListedUser = Row<typeof LISTED>

/** A part of a list of people. */
interface UserPage {
  /** A part of the user name, of a name or of the email address, in any case. */
  readonly search?: string | undefined
  /** The people after this user name. */
  readonly after?: string | undefined
  /** An app that has access to their account: it has a live grant, or their consent is remembered. */
  readonly clientId?: string | undefined
  /** Maximum users in the result. */
  readonly limit?: number
}

/** Lists people. */
export interface UserList {
  /** People, disabled or not, by user name. */
  list (page?: UserPage): Promise<ListedUser[]>
}

/** Maximum users in a result. */
export const MAX_LISTED_USERS = 10_000

/** Most people of a statement, of which those who match are kept. */
const BATCH_SIZE = 1_000

/** {@link UserList} in a database. Texts are compared here: SQLite folds the case of ASCII letters only. */
export function openUserList (connection: Connection): UserList {
  const now = raw(databaseTime(connection))
  return {
    async list ({ search = '', after, clientId, limit = MAX_LISTED_USERS } = {}) {
      const found: ListedUser[] = []
      const sought = foldUsername(search)
      const access = clientId === undefined ? sql`true` : hasAccess(sql`user_account.id`, sql`${clientId}`, now)
      let last = after === undefined ? '' : foldUsername(after)
      while (found.length < limit) {
        const size = sought === '' ? Math.min(limit - found.length, BATCH_SIZE) : BATCH_SIZE
        const batch = await query(connection, LISTED, sql`
          SELECT ${raw(userColumns(LISTED))} FROM user_account WHERE username_key > ${last} AND ${access}
          ORDER BY username_key LIMIT ${size}`)
        found.push(...batch.filter(person => matches(person, sought)))
        if (batch.length < size) break
        last = foldUsername(batch.at(-1)!.username)
      }
      return found.slice(0, limit)
    }
  }
}

function matches ({ username, name, givenName, familyName, email }: ListedUser, sought: string): boolean {
  return [username, name, givenName, familyName, email].some(text => text !== null && foldUsername(text).includes(sought))
}
