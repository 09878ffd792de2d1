import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { empty, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'

/** How long a logout token can wait to be sent, in seconds. */
const MAX_WAIT_S = 24 * 60 * 60

/** Ends client sessions, as steps of the transaction that causes it: their logout tokens become due. */
interface ClientSessionEnd {
  /** Ends those of browser sessions and devices. */
  bySid (sids: ReadonlyArray<{ readonly sid: string }>): Steps<readonly unknown[]>
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
  const row = { sid: 'string' } as const
  const bySid = listStatement(connection, {
    entry: row,
    sql: entries => marks(raw(`ending.sid IN (SELECT entry.sid FROM ${entries})`)).sql,
    row
  })
  return {
    bySid: sids => bySid.step(sids),
    byUser: userId => queryStep(connection, row, marks(sql`ending.user_id = ${userId}`))
  }
}

/** SQL condition that a client session has not ended. @param code table with the columns `sid` and `client_id` */
export function liveClientSession (code: string): string {
  return correlatedExists(`client_session WHERE client_session.sid = ${code}.sid AND client_session.client_id = ${code}.client_id
    AND client_session.due_at IS NULL`)
}
