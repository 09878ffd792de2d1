import type { Connection } from '@frontdesk/database/connection'
import { query, raw, sql } from '@frontdesk/database/sql'
import { accessEpoch, hasAccess } from '../access/live-grant.js'
import { isUser, type UserKey } from './user-columns.js'

/** The data stored about a user. */
export interface StoredData {
  /** Live sessions. */
  readonly sessions: number
  /** Ids of up to 100 authorized apps. */
  readonly clients: readonly string[]
}

export interface UserDataQuery {
  /** The data stored about a user; `null` for an unknown user. */
  storedData (user: UserKey, now: Date): Promise<StoredData | null>
}

const MAX_CLIENTS = 100

export function openUserDataQuery (connection: Connection): UserDataQuery {
  const isCurrent = raw(`session.epoch = ${accessEpoch('user_account.id', "''")}`)
  return {
    async storedData (user, now) {
      const [found] = await query(connection, { id: 'string', sessions: 'int' }, sql`
        SELECT id, (SELECT COUNT(*) FROM session WHERE user_id = user_account.id AND expires_at > ${now} AND ${isCurrent})
        FROM user_account WHERE ${isUser(user)}`)
      if (found === undefined) return null
      const { id, sessions } = found
      const clients = await query(connection, { id: 'string' }, sql`
        SELECT client.id FROM client WHERE ${hasAccess(sql`${id}`, sql`client.id`, sql`${now}`)}
        ORDER BY client.id LIMIT ${MAX_CLIENTS}`)
      return { sessions, clients: clients.map(({ id }) => id) }
    }
  }
}
