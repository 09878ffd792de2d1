import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { empty, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'

/** How long a logout token can wait to be sent, in seconds. */
const MAX_WAIT_S = 24 * 60 * 60

/** Ends client sessions, as steps of the transaction that causes it: their logout tokens become due. */
interface ClientSessionEnd {
  /** Ends those of browser sessions and devices, at least one. */
  bySid (...sids: string[]): Steps<readonly unknown[]>
  byUser (userId: string): Steps<readonly unknown[]>
}

/** Makes the statement that ends client sessions. @param where with the alias `ending` @param limit maximum rows to change */
export function createClientSessionMarks (connection: Connection): (where: Sql, limit?: number) => Sql {
  const [now, end] = [raw(databaseTime(connection)), raw(databaseTime(connection, MAX_WAIT_S))]
  const lock = raw(lockInOrder(connection, "ending.sid || ' ' || ending.client_id", 'FOR NO KEY UPDATE'))
  return (where, limit) => sql`
    UPDATE client_session SET due_at = ${now}, ends_at = ${end}
    WHERE due_at IS NULL AND (sid, client_id, epoch) IN (
      SELECT ending.sid, ending.client_id, ending.epoch FROM client_session AS ending WHERE ending.due_at IS NULL AND ${where}
      ${lock} ${limit === undefined ? empty : sql`LIMIT ${limit}`})
    RETURNING sid`
}

export function createClientSessionEnd (connection: Connection): ClientSessionEnd {
  const marks = createClientSessionMarks(connection)
  const end = (where: Sql) => queryStep(connection, { sid: 'string' }, marks(where))
  return {
    bySid: (...sids) => end(sql`ending.sid IN (${join(sids)})`),
    byUser: userId => end(sql`ending.user_id = ${userId}`)
  }
}

/** SQL condition that a client session has not ended. @param code table with the columns `sid` and `client_id` */
export function liveClientSession (code: string): string {
  return `EXISTS (SELECT 1 FROM client_session WHERE client_session.sid = ${code}.sid AND client_session.client_id = ${code}.client_id
    AND client_session.due_at IS NULL)`
}
