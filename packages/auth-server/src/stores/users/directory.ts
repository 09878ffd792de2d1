import type { Connection } from '@frontdesk/database/connection'
import { createLookup } from '@frontdesk/database/lookup'
import { query, sql } from '@frontdesk/database/sql'

/** Maximum users of a sector that are searched for a pairwise `sub`, which cannot be converted to a user's id. */
const MAX_SECTOR_USERS = 5_000

/** Opens the store of the directory. */
export function openDirectory (connection: Connection) {
  const find = createLookup(connection, {
    entry: { id: 'string' },
    sql: entries => `SELECT id, name FROM user_account WHERE id IN (SELECT entry.id FROM ${entries}) AND name IS NOT NULL`,
    row: { id: 'string', name: 'string' }
  }, 'id')
  return {
    /** The name of a user, disabled or not; `null` if the user is unknown or has no name. Concurrent calls share a statement. */
    async nameOf (userId: string): Promise<string | null> {
      // PostgreSQL rejects NUL in text.
      return userId.includes('\0') ? null : (await find({ id: userId }))?.name ?? null
    },
    /** Users who have given clients of a sector access: the {@link MAX_SECTOR_USERS} whose access expires last. */
    async usersOf (sector: string): Promise<string[]> {
      const rows = await query(connection, { userId: 'string' }, sql`
        SELECT user_id FROM access_grant WHERE client_id IN (SELECT id FROM client WHERE sector_identifier = ${sector})
        GROUP BY user_id ORDER BY MAX(expires_at) DESC, user_id LIMIT ${MAX_SECTOR_USERS}`)
      return rows.map(({ userId }) => userId)
    }
  }
}
