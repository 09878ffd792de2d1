import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { sessionIdFor } from '../../oauth/session-id.js'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { accessEpoch } from '../access/live-grant.js'
import { openLogoutQueue, type LogoutQueue } from './logout-queue.js'
import type { Session } from './session-list.js'

/** A session at an app that gets logout tokens. */
export interface NewClientSession {
  readonly clientId: string
  /** Sum of the access epochs of the person, the client and the person at the client, read before the consent page was shown. */
  readonly epoch: number
  /** When the session at the app ends at the latest. */
  readonly endsAt: Date
}

/** The sessions at apps that get logout tokens (OpenID Connect Back-Channel Logout). */
export interface ClientSessions extends LogoutQueue {
  /**
   * Atomic: records that an app gets ID tokens of a browser session, unless that has ended: whatever ends it later finds the record.
   * Returns `false`, with nothing recorded, if it has ended.
   */
  begin (browser: Pick<Session, 'id' | 'sid'>, session: NewClientSession): Promise<boolean>
  /** The same for a device. @param grantId of the device, its `sid` @param userId who allowed it */
  beginOnDevice (grantId: string, userId: string, session: NewClientSession): Promise<boolean>
  /**
   * Atomic: ends the session of an ID token, in whatever browser it is, and the sessions at apps that belong to it. Returns the id
   * of its person; `null` if there is nothing to end.
   * @param clientSid the `sid` of the ID token
   */
  end (clientSid: string): Promise<string | null>
}

/** {@link ClientSessions} in a database. */
export function openClientSessions (connection: Connection): ClientSessions {
  // What ends the session deletes its row. Without the lock, it could miss the record, and the record it.
  const lock = raw(connection.dialect === 'postgresql' ? 'FOR KEY SHARE' : '')
  const personEpoch = raw(accessEpoch('session.user_id', "''"))
  const clientSessionEnd = createClientSessionEnd(connection)
  /** @param lasting the row of the client, and one that lasts as long as the session */
  async function add (sid: string, lasting: Sql, { clientId, epoch, endsAt }: NewClientSession): Promise<boolean> {
    const added = await query(connection, { sid: 'string' }, sql`
      INSERT INTO client_session (sid, client_id, client_sid, epoch, user_id, ends_at)
      SELECT ${sid}, client_id, ${sessionIdFor(clientId, sid)}, ${epoch}, user_id, ${endsAt} FROM (${lasting} ${lock}) AS lasting WHERE true
      ON CONFLICT (sid, client_id, epoch) DO UPDATE SET ends_at = excluded.ends_at WHERE client_session.due_at IS NULL
      RETURNING sid`)
    return added.length === 1
  }
  return {
    begin: ({ id, sid }, session) => add(sid, sql`
      SELECT session.user_id, client.id AS client_id
      FROM session JOIN client ON client.id = ${session.clientId} WHERE session.id_hash = ${id} AND session.epoch = ${personEpoch}`, session),
    beginOnDevice: (grantId, userId, session) => add(grantId, sql`
      SELECT user_account.id AS user_id, client.id AS client_id
      FROM user_account JOIN client ON client.id = ${session.clientId} WHERE user_account.id = ${userId}`, session),
    end: clientSid => connection.transact(function * (): Steps<string | null> {
      const [named] = yield * queryStep(connection, { sid: 'string', userId: 'string' }, sql`
        SELECT sid, user_id FROM client_session WHERE client_sid = ${clientSid} LIMIT 1`)
      if (named === undefined) return null
      const ended = yield * queryStep(connection, { id: 'string' }, sql`
        DELETE FROM session WHERE user_id = ${named.userId} AND sid = ${named.sid} RETURNING id_hash`)
      const atApps = yield * clientSessionEnd.bySid(named.sid)
      return ended.length + atApps.length > 0 ? named.userId : null
    }),
    ...openLogoutQueue(connection)
  }
}
