import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { empty, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'

/** How long a logout token may wait to be sent, in seconds. */
const MAX_WAIT = 24 * 60 * 60

/** Ends sessions at apps, as steps of the transaction that is the reason: their logout tokens are due. */
interface ClientSessionEnd {
  /** Those of browser sessions and devices, at least one. */
  bySid (...sids: string[]): Steps<readonly unknown[]>
  /** Those of a person. */
  byUser (userId: string): Steps<readonly unknown[]>
}

/** Makes the statement that ends sessions at apps. @param where with the alias `ending` @param limit most of them */
export function createClientSessionMarks (connection: Connection): (where: Sql, limit?: number) => Sql {
  const [now, end] = [raw(databaseTime(connection)), raw(databaseTime(connection, MAX_WAIT))]
  const lock = raw(lockInOrder(connection, "ending.sid || ' ' || ending.client_id", 'FOR NO KEY UPDATE'))
  return (where, limit) => sql`
    UPDATE client_session SET due_at = ${now}, ends_at = ${end}
    WHERE due_at IS NULL AND (sid, client_id, epoch) IN (
      SELECT ending.sid, ending.client_id, ending.epoch FROM client_session AS ending WHERE ending.due_at IS NULL AND ${where}
      ${lock} ${limit === undefined ? empty : sql`LIMIT ${limit}`})
    RETURNING sid`
}

/** {@link ClientSessionEnd} in SQL. */
export function createClientSessionEnd (connection: Connection): ClientSessionEnd {
  const marks = createClientSessionMarks(connection)
  const end = (where: Sql) => queryStep(connection, { sid: 'string' }, marks(where))
  return {
    bySid: (...sids) => end(sql`ending.sid IN (${join(sids)})`),
    byUser: userId => end(sql`ending.user_id = ${userId}`)
  }
}

/** SQL condition that the session of a code at its app has not ended. @param code table with the columns `sid` and `client_id` */
export function liveClientSession (code: string): string {
  return `EXISTS (SELECT 1 FROM client_session WHERE client_session.sid = ${code}.sid AND client_session.client_id = ${code}.client_id
    AND client_session.due_at IS NULL)`
}
