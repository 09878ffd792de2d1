import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columnNames, pick } from '@frontdesk/database/table'
import { accessEpoch, clientSession } from '../../generated/tables.js'
import { createClientSessionMarks } from '../access/client-session-end.js'
import { grantEpoch } from '../access/live-grant.js'

const CLAIMED = pick(clientSession, 'sid', 'clientId', 'epoch', 'userId', 'attempts')

/** An ended client session, claimed by one replica to send its logout token. `attempts` includes this one. */
export type EndedClientSession = Row<typeof CLAIMED>

/** The logout tokens to send: a transactional outbox. */
export interface LogoutQueue {
  /**
   * Marks client sessions that ended because the access of their user or client was revoked, some at a time. Idempotent.
   * @returns whether there may be more
   */
  markEnded (): Promise<boolean>
  /**
   * Atomic: claims sessions whose logout token is due, for a minute. Claims up to {@link MAX_CONCURRENT_PER_CLIENT} of each client,
   * from clients in random order, so that slow clients do not delay others; and from few clients that registered without a token.
   * @param busy ids of the clients to skip
   */
  claim (busy: readonly string[]): Promise<EndedClientSession[]>
  /** Removes a claimed session after its logout token was accepted, or failed for the last time. */
  finish (session: EndedClientSession): Promise<void>
  /** Puts a claimed session back. @param dueAt when to send its logout token again */
  retry (session: EndedClientSession, dueAt: Date): Promise<void>
}

/** Logout tokens that a replica sends to one client concurrently. */
export const MAX_CONCURRENT_PER_CLIENT = 4
/** Clients of one claim. */
const MAX_CLIENTS = 16
/** While so many clients that registered without a token are busy, no more are claimed: anyone can register slow ones. */
const MAX_BUSY_UNCHECKED = 16
/** How long a claim lasts, in seconds: longer than a request. */
const CLAIM_S = 60
/** Revocations that are read at once, and sessions that are marked at once. */
const [MAX_REVOCATIONS_READ, MAX_SESSIONS_MARKED] = [200, 500]
/** How long after a revocation transactions can still add sessions of the old epoch, in seconds. */
const SETTLE_S = 10

const REVOKED = { ...pick(accessEpoch, 'userId', 'clientId'), endedAt: 'datetime', isSettled: 'boolean' } as const

export function openLogoutQueue (connection: Connection): LogoutQueue {
  const [now, claimed, settled] = [0, CLAIM_S, -SETTLE_S].map(seconds => raw(databaseTime(connection, seconds))) as [Sql, Sql, Sql]
  const marks = createClientSessionMarks(connection)
  const isPast = raw(`ending.epoch <> ${grantEpoch('ending.user_id', 'ending.client_id')}`)
  const skipLocked = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE SKIP LOCKED' : '')
  const isClaimed = ({ sid, clientId, epoch, attempts }: EndedClientSession) =>
    sql`sid = ${sid} AND client_id = ${clientId} AND epoch = ${epoch} AND attempts = ${attempts}`

  /** Marks sessions that a revocation has ended. Returns whether there may be more. */
  async function mark ({ userId, clientId, endedAt, isSettled }: Row<typeof REVOKED>): Promise<boolean> {
    const groups = [userId === '' ? [] : [sql`ending.user_id = ${userId}`], clientId === '' ? [] : [sql`ending.client_id = ${clientId}`]]
    const where = join([...groups.flat(), isPast], ' AND ')
    if ((await query(connection, { sid: 'string' }, marks(where, MAX_SESSIONS_MARKED))).length === MAX_SESSIONS_MARKED) return true
    if (isSettled) {
      await query(connection, {}, sql`
        UPDATE access_epoch SET ended_at = NULL WHERE user_id = ${userId} AND client_id = ${clientId} AND ended_at <= ${endedAt}`)
    }
    return false
  }

  // Begins with SELECT: on SQLite, readers do not wait for writers.
  const dueClients = listStatement(connection, {
    entry: { id: 'string' },
    sql: entries => `
      SELECT id FROM (
        WITH busy AS (SELECT entry.id FROM ${entries})
        SELECT client.id FROM client WHERE backchannel_logout_uri IS NOT NULL AND client.id NOT IN (SELECT busy.id FROM busy)
          AND (registered_by IN ('operator', 'token') OR (SELECT count(*) FROM client AS sending
            WHERE sending.id IN (SELECT busy.id FROM busy) AND sending.registered_by IN ('open', 'document')) < ${MAX_BUSY_UNCHECKED})
          AND EXISTS (SELECT 1 FROM client_session WHERE client_id = client.id AND due_at <= ${databaseTime(connection)})
        ORDER BY random() LIMIT ${MAX_CLIENTS}) AS due`,
    row: { id: 'string' }
  })
  const claim = (clientId: string) => query(connection, CLAIMED, sql`
    UPDATE client_session SET due_at = ${claimed}, attempts = attempts + 1
    WHERE due_at <= ${now} AND (sid, client_id, epoch) IN (
      SELECT sid, client_id, epoch FROM client_session WHERE client_id = ${clientId} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${MAX_CONCURRENT_PER_CLIENT} ${skipLocked})
    RETURNING ${raw(columnNames(CLAIMED))}`)

  return {
    async markEnded () {
      const revoked = await query(connection, REVOKED, sql`
        SELECT user_id, client_id, ended_at, ended_at <= ${settled}
        FROM access_epoch WHERE ended_at IS NOT NULL ORDER BY ended_at LIMIT ${MAX_REVOCATIONS_READ}`)
      let isMore = false
      for (const it of revoked) isMore = await mark(it) || isMore
      return isMore
    },
    async claim (busy) {
      // The empty id is no client's: without entries, the statement would not run.
      const due = await dueClients.run(['', ...busy].map(id => ({ id })))
      return (await Promise.all(due.map(({ id }) => claim(id)))).flat()
    },
    async finish (session) { await query(connection, {}, sql`DELETE FROM client_session WHERE ${isClaimed(session)}`) },
    async retry (session, dueAt) {
      await query(connection, {}, sql`UPDATE client_session SET due_at = ${dueAt} WHERE ${isClaimed(session)}`)
    }
  }
}
