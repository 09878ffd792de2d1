import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columnNames, pick } from '@frontdesk/database/table'
import { accessEpoch, clientSession } from '../../generated/tables.js'
import { createClientSessionMarks } from '../access/client-session-end.js'
import { grantEpoch } from '../access/live-grant.js'

const CLAIMED = pick(clientSession, 'sid', 'clientId', 'epoch', 'userId', 'attempts')

/** A session at an app that has ended, claimed by one replica to send its logout token; this attempt is counted. */
export type EndedClientSession = Row<typeof CLAIMED>

/** The logout tokens to send: a transactional outbox. */
export interface LogoutQueue {
  /**
   * Marks sessions at apps that have ended with the access of their person or client, some at a time. Idempotent.
   * @returns whether there may be more
   */
  markEnded (): Promise<boolean>
  /**
   * Atomic: claims sessions whose logout token is due, for a minute: no other caller gets them meanwhile. At most
   * {@link MAX_AT_ONCE} of each client, so that no client delays others; of clients in random order, so that none always waits
   * for the same ones; and few of clients that registered without a token.
   * @param busy ids of the clients to leave out
   */
  claim (busy: readonly string[]): Promise<EndedClientSession[]>
  /** Removes a claimed session: its logout token was accepted, or failed for the last time. */
  finish (session: EndedClientSession): Promise<void>
  /** Puts a claimed session back. @param dueAt when its logout token is sent again */
  retry (session: EndedClientSession, dueAt: Date): Promise<void>
}

/** Logout tokens that are sent to one client at once, by each replica. */
export const MAX_AT_ONCE = 4
/** Clients whose logout tokens are claimed at once. */
const MAX_CLIENTS = 16
/** Clients that registered without a token and are sent to, from which on no more of them are claimed: anyone can add slow ones. */
const MAX_OPEN = 16
/** How long a claim lasts, in seconds: longer than a request. */
const CLAIM = 60
/** Ends of access that are worked on at once, and sessions that are marked at once. */
const [MAX_ENDS, MAX_MARKED] = [200, 500]
/** How long after the end of access transactions may still add sessions of the old epoch, in seconds. */
const IN_FLIGHT = 10

/** The columns of an end of access. */
const END = { ...pick(accessEpoch, 'userId', 'clientId'), endedAt: 'datetime', isSettled: 'boolean' } as const

/** {@link LogoutQueue} in a database. */
export function openLogoutQueue (connection: Connection): LogoutQueue {
  const [now, claimed, settled] = [0, CLAIM, -IN_FLIGHT].map(seconds => raw(databaseTime(connection, seconds))) as [Sql, Sql, Sql]
  const marks = createClientSessionMarks(connection)
  const isPast = raw(`ending.epoch <> ${grantEpoch('ending.user_id', 'ending.client_id')}`)
  const skipLocked = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE SKIP LOCKED' : '')
  const isClaimed = ({ sid, clientId, epoch, attempts }: EndedClientSession) =>
    sql`sid = ${sid} AND client_id = ${clientId} AND epoch = ${epoch} AND attempts = ${attempts}`

  /** Marks sessions of an end of access. Returns whether there may be more. */
  async function mark ({ userId, clientId, endedAt, isSettled }: Row<typeof END>): Promise<boolean> {
    const groups = [userId === '' ? [] : [sql`ending.user_id = ${userId}`], clientId === '' ? [] : [sql`ending.client_id = ${clientId}`]]
    const where = join([...groups.flat(), isPast], ' AND ')
    if ((await query(connection, { sid: 'string' }, marks(where, MAX_MARKED))).length === MAX_MARKED) return true
    if (isSettled) {
      await query(connection, {}, sql`
        UPDATE access_epoch SET ended_at = NULL WHERE user_id = ${userId} AND client_id = ${clientId} AND ended_at <= ${endedAt}`)
    }
    return false
  }

  const claim = (clientId: string) => query(connection, CLAIMED, sql`
    UPDATE client_session SET due_at = ${claimed}, attempts = attempts + 1
    WHERE due_at <= ${now} AND (sid, client_id, epoch) IN (
      SELECT sid, client_id, epoch FROM client_session WHERE client_id = ${clientId} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${MAX_AT_ONCE} ${skipLocked})
    RETURNING ${raw(columnNames(CLAIMED))}`)

  return {
    async markEnded () {
      const ends = await query(connection, END, sql`
        SELECT user_id, client_id, ended_at, ended_at <= ${settled}
        FROM access_epoch WHERE ended_at IS NOT NULL ORDER BY ended_at LIMIT ${MAX_ENDS}`)
      let isMore = false
      for (const ended of ends) isMore = await mark(ended) || isMore
      return isMore
    },
    async claim (busy) {
      const isBusy = sql`IN (${join(['', ...busy])})`
      const due = await query(connection, { id: 'string' }, sql`
        SELECT id FROM client WHERE backchannel_logout_uri IS NOT NULL AND id NOT ${isBusy}
          AND (registered_by IN ('operator', 'token')
            OR (SELECT count(*) FROM client AS sending WHERE sending.id ${isBusy} AND sending.registered_by IN ('open', 'document')) < ${MAX_OPEN})
          AND EXISTS (SELECT 1 FROM client_session WHERE client_id = client.id AND due_at <= ${now})
        ORDER BY random() LIMIT ${MAX_CLIENTS}`)
      return (await Promise.all(due.map(({ id }) => claim(id)))).flat()
    },
    async finish (session) { await query(connection, {}, sql`DELETE FROM client_session WHERE ${isClaimed(session)}`) },
    async retry (session, dueAt) {
      await query(connection, {}, sql`UPDATE client_session SET due_at = ${dueAt} WHERE ${isClaimed(session)}`)
    }
  }
}
