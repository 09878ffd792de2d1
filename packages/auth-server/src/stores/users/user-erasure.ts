import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { createAccessEnd } from '../access/end-access.js'
import { foldUsername } from './user-columns.js'

/** Erases people. */
export interface UserErasure {
  /**
   * Atomic: revokes the person's access and erases all data about them. Audit rows keep only the id, and so do logout tokens that
   * wait to be sent. Returns the id; `null` for an unknown user name.
   */
  remove (username: string): Promise<string | null>
}

/** Tables with rows of a person that a foreign key does not remove with the account, as it does sessions and consent. */
const TABLES = ['refresh_token', 'authorization_code', 'device_code', 'access_grant', 'access_epoch']

/** {@link UserErasure} in a database. */
export function openUserErasure (connection: Connection): UserErasure {
  const access = createAccessEnd(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  const lock = raw(lockInOrder(connection, 'id'))
  return {
    remove: username => connection.transact(function * (): Steps<string | null> {
      const [removed] = yield * queryStep(connection, { id: 'string' }, sql`
        SELECT id FROM user_account WHERE username_key = ${foldUsername(username)} ${lock}`)
      if (removed === undefined) return null
      const userId = removed.id
      // Revokes access tokens at resource servers: before the account goes, and with it the record of the apps that it allowed.
      yield * access.steps([{ userId }])
      // Grants in flight are not live without it.
      yield * queryStep(connection, {}, sql`DELETE FROM user_account WHERE id = ${userId}`)
      // The epochs are erased, so that they could not tell later which sessions at apps have ended.
      yield * clientSessionEnd.byUser(userId)
      // Their access tokens are revoked together. In order, as others remove such rows.
      yield * queryStep(connection, {}, sql`
        DELETE FROM revocation WHERE id IN (SELECT id FROM revocation WHERE user_id = ${userId} ${lock})`)
      for (const table of TABLES) yield * queryStep(connection, {}, sql`DELETE FROM ${raw(table)} WHERE user_id = ${userId}`)
      return userId
    })
  }
}
