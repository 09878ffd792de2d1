import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { foldUsername } from './fold-username.js'
import { accessEpoch, liveGrant } from './live-grant.js'

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
const LIMIT = 100

/** {@link UserHoldings} in a database. */
export function openUserHoldings (connection: Connection): UserHoldings {
  const sessions = new ValuesStatement(connection, list => `
    SELECT id, (SELECT COUNT(*) FROM session WHERE user_id = id AND expires_at > column2 AND epoch = ${accessEpoch('user_id', "''")})
    FROM user_account JOIN (${list}) AS asked ON username_key = column1`, ['string', 'datetime'], { userId: 'string', count: 'int' })
  const clients = new ValuesStatement(connection, list => `
    SELECT client.id FROM client JOIN (${list}) AS asked ON true
    WHERE EXISTS (SELECT 1 FROM access_grant WHERE user_id = column1 AND client_id = client.id AND expires_at > column2 AND ${liveGrant('access_grant')})
      OR EXISTS (SELECT 1 FROM consent WHERE user_id = column1 AND client_id = client.id AND consent.epoch = ${accessEpoch('consent.user_id', 'consent.client_id')})
    ORDER BY client.id LIMIT ${LIMIT}`, ['string', 'datetime'], { id: 'string' })
  return {
    async holdings (username, now) {
      const [row] = await sessions.run([[foldUsername(username), now]])
      if (row === undefined) return null
      const held = await clients.run([[row.userId, now]])
      return { sessions: row.count, clients: held.map(({ id }) => id) }
    }
  }
}
