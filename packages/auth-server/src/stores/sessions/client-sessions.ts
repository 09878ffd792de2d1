import type { Connection } from '@frontdesk/database/connection'
import { execute, executeStep, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { sessionIdFor } from '../../oauth/session-id.js'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { accessEpoch } from '../access/live-grant.js'
import { openLogoutQueue, type LogoutQueue } from './logout-queue.js'
import type { Session } from './session-list.js'

/** A session at a client that receives logout tokens. */
export interface NewClientSession {
  readonly clientId: string
  /** The `grantEpoch`, read before the consent page was shown. */
  readonly epoch: number
  /** Latest end. */
  readonly endsAt: Date
}

/** The sessions at clients that receive logout tokens (OpenID Connect Back-Channel Logout). */
export interface ClientSessions extends LogoutQueue {
  /**
   * Atomic: records that a client gets ID tokens for a browser session, so that the end of that session ends this one, too. Returns
   * `false`, with nothing recorded, if the browser session has ended.
   */
  begin (browser: Pick<Session, 'id' | 'sid'>, session: NewClientSession): Promise<boolean>
  /** The same for a device. @param grantId the device's grant, which is its `sid` @param userId the user who allowed it */
  beginOnDevice (grantId: string, userId: string, session: NewClientSession): Promise<boolean>
  /**
   * Atomic: ends the browser session of an ID token, and its client sessions. Returns the user id; `null` if there is nothing to
   * end.
   * @param clientSid the `sid` of the ID token
   */
  end (clientSid: string): Promise<string | null>
}

export function openClientSessions (connection: Connection): ClientSessions {
  // The end of a browser session deletes its row. Without the lock, it could miss a client session that is being recorded.
  const lock = raw(connection.dialect === 'postgresql' ? 'FOR KEY SHARE' : '')
  const userEpoch = raw(accessEpoch('session.user_id', "''"))
  const clientSessionEnd = createClientSessionEnd(connection)
  /** @param lasting SQL that selects the client, and a row that exists as long as the session */
  async function add (sid: string, lasting: Sql, { clientId, epoch, endsAt }: NewClientSession): Promise<boolean> {
    return await execute(connection, sql`
      INSERT INTO client_session (sid, client_id, client_sid, epoch, user_id, ends_at)
      SELECT ${sid}, client_id, ${sessionIdFor(clientId, sid)}, ${epoch}, user_id, ${endsAt} FROM (${lasting} ${lock}) AS lasting WHERE true
      ON CONFLICT (sid, client_id, epoch) DO UPDATE SET ends_at = excluded.ends_at WHERE client_session.due_at IS NULL`) === 1
  }
  return {
    begin: ({ id, sid }, session) => add(sid, sql`
      SELECT session.user_id, client.id AS client_id
      FROM session JOIN client ON client.id = ${session.clientId} WHERE session.id_hash = ${id} AND session.epoch = ${userEpoch}`, session),
    beginOnDevice: (grantId, userId, session) => add(grantId, sql`
      SELECT user_account.id AS user_id, client.id AS client_id
      FROM user_account JOIN client ON client.id = ${session.clientId} WHERE user_account.id = ${userId}`, session),
    end: clientSid => connection.transact(function * (): Steps<string | null> {
      const [named] = yield * queryStep(connection, { sid: 'string', userId: 'string' }, sql`
        SELECT sid, user_id FROM client_session WHERE client_sid = ${clientSid} LIMIT 1`)
      if (named === undefined) return null
      const ended = yield * executeStep(connection, sql`DELETE FROM session WHERE user_id = ${named.userId} AND sid = ${named.sid}`)
      const endedAtClients = yield * clientSessionEnd.bySid([named])
      return ended + endedAtClients.length > 0 ? named.userId : null
    }),
    ...openLogoutQueue(connection)
  }
}
