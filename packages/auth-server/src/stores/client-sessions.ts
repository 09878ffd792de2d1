import type { Connection } from '@frontdesk/database/connection'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { accessEpoch } from './live-grant.js'
import { openLogoutQueue, type LogoutQueue } from './logout-queue.js'

/** A session at an app that gets logout tokens. */
export interface NewClientSession {
  readonly clientId: string
  /** Sum of the access epochs of the person, the client and the person at the client, read before the person was asked. */
  readonly epoch: number
  /** When the session at the app has ended at the latest. */
  readonly endsAt: Date
}

/** The sessions at apps that get logout tokens (OpenID Connect Back-Channel Logout). */
export interface ClientSessions extends LogoutQueue {
  /**
   * Atomic: records that an app gets ID tokens of a browser session, unless that has ended: whatever ends it later finds the record.
   * Returns `false`, with nothing recorded, if it has ended.
   * @param sessionId id of the browser session
   */
  begin (sessionId: string, session: NewClientSession): Promise<boolean>
  /** The same for a device. @param grantId of the device, its `sid` @param userId who allowed it */
  beginOnDevice (grantId: string, userId: string, session: NewClientSession): Promise<boolean>
  /** Removes up to `limit` sessions that have ended long ago. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** {@link ClientSessions} in a database. */
export function openClientSessions (connection: Connection): ClientSessions {
  // What ends the session deletes its row. Without the lock, it could miss the record, and the record it.
  const lock = raw(connection.adapter.provider === 'postgres' ? 'FOR KEY SHARE' : '')
  const personEpoch = raw(accessEpoch('session.user_id', "''"))
  /** @param lasting the row of the client, and one that lasts as long as the session */
  async function add (lasting: Sql, { epoch, endsAt }: NewClientSession): Promise<boolean> {
    const added = await query(connection, { sid: 'string' }, sql`
      INSERT INTO client_session (sid, client_id, epoch, user_id, ends_at)
      SELECT sid, client_id, ${epoch}, user_id, ${endsAt} FROM (${lasting} ${lock}) AS lasting WHERE true
      ON CONFLICT (sid, client_id, epoch) DO UPDATE SET ends_at = excluded.ends_at WHERE client_session.due_at IS NULL
      RETURNING sid`)
    return added.length === 1
  }
  return {
    begin: (sessionId, session) => add(sql`
      SELECT session.sid, session.user_id, client.id AS client_id
      FROM session JOIN client ON client.id = ${session.clientId} WHERE session.id_hash = ${sessionId} AND session.epoch = ${personEpoch}`, session),
    beginOnDevice: (grantId, userId, session) => add(sql`
      SELECT ${grantId} AS sid, user_account.id AS user_id, client.id AS client_id
      FROM user_account JOIN client ON client.id = ${session.clientId} WHERE user_account.id = ${userId}`, session),
    async sweep (now, limit) {
      const swept = await query(connection, { sid: 'string' }, sql`
        DELETE FROM client_session WHERE (sid, client_id, epoch) IN (
          SELECT sid, client_id, epoch FROM client_session WHERE ends_at <= ${now} LIMIT ${limit}) RETURNING sid`)
      return swept.length
    },
    ...openLogoutQueue(connection)
  }
}
