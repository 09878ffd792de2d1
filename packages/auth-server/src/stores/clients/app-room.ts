import type { Connection } from '@frontdesk/database/connection'
import { empty, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { liveGrant } from '../access/live-grant.js'

/** Most apps that registered themselves without a token, or by a document, that one person has allowed. */
export const MAX_APPS_OF_PERSON = 100

/** Condition of a row of `client`: it counts against {@link MAX_APPS_OF_PERSON}, since anyone can add such apps. */
export const isUnchecked = sql`registered_by IN ('open', 'document')`

/**
 * Removes the app that the person has not used for longest, of those that have no token of the person, with its codes that wait to
 * be exchanged; and the app itself if no one else has allowed it. Its statements are in the lock order of an exchange: codes first.
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
  // A code may have been exchanged at this moment.
  const removed = yield * queryStep(connection, { id: 'string' }, sql`
    DELETE FROM app_use WHERE user_id = ${userId} AND client_id = ${id} AND NOT ${heldBy()} RETURNING client_id`)
  if (removed.length === 0) return false
  // Another person may allow it at this moment: the lock waits, and the next statement sees it.
  yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${id} ${lock('FOR UPDATE')}`)
  yield * queryStep(connection, {}, sql`
    DELETE FROM client WHERE id = ${id} AND ${isUnchecked} AND NOT EXISTS (SELECT 1 FROM app_use WHERE client_id = client.id)`)
  return true
}
