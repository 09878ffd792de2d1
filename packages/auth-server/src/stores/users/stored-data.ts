import type { Connection } from '@frontdesk/database/connection'
import { query, raw, sql } from '@frontdesk/database/sql'
import { accessEpoch, hasAccess } from '../access/live-grant.js'
import { foldUsername } from './user-columns.js'

/** The data about a person. */
export interface Holdings {
  /** Live sessions. */
  readonly sessions: number
  /** Ids of the authorized apps; at most 100. */
  readonly clients: readonly string[]
}

/** Reads the data about people. */
export interface UserHoldings {
  /** The data about a person; `null` for an unknown user name. */
  holdings (username: string, now: Date): Promise<Holdings | null>
}

/** Maximum clients in the result. */
const MAX_CLIENTS = 100

/** {@link UserHoldings} in a database. */
export function openUserHoldings (connection: Connection): UserHoldings {
  const isCurrent = raw(`session.epoch = ${accessEpoch('user_account.id', "''")}`)
  return {
    async holdings (username, now) {
      const [found] = await query(connection, { id: 'string', sessions: 'int' }, sql`
        SELECT id, (SELECT COUNT(*) FROM session WHERE user_id = user_account.id AND expires_at > ${now} AND ${isCurrent})
        FROM user_account WHERE username_key = ${foldUsername(username)}`)
      if (found === undefined) return null
      const { id, sessions } = found
      const clients = await query(connection, { id: 'string' }, sql`
        SELECT client.id FROM client WHERE ${hasAccess(sql`${id}`, sql`client.id`, sql`${now}`)}
        ORDER BY client.id LIMIT ${MAX_CLIENTS}`)
      return { sessions, clients: clients.map(({ id }) => id) }
    }
  }
}
