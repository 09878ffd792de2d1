import type { Connection } from '@frontdesk/database/connection'
import { empty, executeStep, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { liveGrant } from '../access/live-grant.js'

/** Maximum clients of a user that registered themselves without a token, or by a document. */
export const MAX_UNCHECKED_CLIENTS_PER_USER = 100

/** Condition of a row of `client`: anyone can register such clients, so they count against {@link MAX_UNCHECKED_CLIENTS_PER_USER}. */
export const isUnchecked = sql`registered_by IN ('open', 'document')`

/**
 * Removes the user's least recently used client without a live token (LRU), with its unspent codes; and the client itself, if no
 * other user has allowed it. Returns `false` if there is none. Locks in the order of an exchange: codes first.
 */
export function * makeRoom (connection: Connection, userId: string, now: Date): Steps<boolean> {
  const lock = (lock: string) => raw(connection.dialect === 'postgresql' ? lock : '')
  const waiting = sql`user_id = ${userId} AND spent_at IS NULL`
  const heldBy = (more: Sql = empty) => sql`EXISTS (SELECT 1 FROM access_grant AS held WHERE held.user_id = ${userId}
    AND held.client_id = app_use.client_id AND held.expires_at > ${now} AND ${raw(liveGrant('held'))} ${more})`
  const exchanged = sql`AND NOT EXISTS (SELECT 1 FROM authorization_code WHERE grant_id = held.id AND ${waiting})`
  yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM user_account WHERE id = ${userId} ${lock('FOR NO KEY UPDATE')}`)
  const [oldest] = yield * queryStep(connection, { id: 'string' }, sql`
    SELECT client_id FROM app_use JOIN client ON client.id = client_id
    WHERE user_id = ${userId} AND ${isUnchecked} AND NOT ${heldBy(exchanged)} ORDER BY app_use.used_at, client_id LIMIT 1`)
  if (oldest === undefined) return false
  const { id } = oldest
  const ended = yield * queryStep(connection, { grantId: 'string' }, sql`
    DELETE FROM authorization_code WHERE client_id = ${id} AND ${waiting} RETURNING grant_id`)
  if (ended.length > 0) {
    yield * queryStep(connection, {}, sql`
      UPDATE access_grant SET revoked_at = ${now} WHERE id IN (${join(ended.map(({ grantId }) => grantId))})`)
  }
  // Checked again: a code may have been exchanged at this moment.
  if ((yield * executeStep(connection, sql`
    DELETE FROM app_use WHERE user_id = ${userId} AND client_id = ${id} AND NOT ${heldBy()}`)) === 0) return false
  // Another user may allow it at this moment: the lock waits, so that the next statement sees it.
  yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${id} ${lock('FOR UPDATE')}`)
  yield * queryStep(connection, {}, sql`
    DELETE FROM client WHERE id = ${id} AND ${isUnchecked} AND NOT EXISTS (SELECT 1 FROM app_use WHERE client_id = client.id)`)
  return true
}
