import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { createAccessEnd } from '../access/end-access.js'
import { isUser, type UserKey } from './user-columns.js'

export interface UserErasure {
  /**
   * Atomic: revokes the user's access and erases their data. Only the id stays, in audit rows and queued logout tokens. Returns
   * the id; `null` for an unknown user.
   */
  remove (user: UserKey): Promise<string | null>
}

/** Tables without a foreign key that removes their rows with the user, as it does sessions and consent. */
const TABLES = ['refresh_token', 'authorization_code', 'device_code', 'access_grant', 'access_epoch']

export function openUserErasure (connection: Connection): UserErasure {
  const access = createAccessEnd(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  const lock = raw(lockInOrder(connection, 'id'))
  return {
    remove: user => connection.transact(function * (): Steps<string | null> {
      const [removed] = yield * queryStep(connection, { id: 'string' }, sql`
        SELECT id FROM user_account WHERE ${isUser(user)} ${lock}`)
      if (removed === undefined) return null
      const userId = removed.id
      // First, while the user's clients are on record: revokes access tokens at resource servers.
      yield * access.steps([{ userId }])
      // Grants in flight are not live without the user.
      yield * queryStep(connection, {}, sql`DELETE FROM user_account WHERE id = ${userId}`)
      // Now, because the logout queue could not find them once the epochs are deleted.
      yield * clientSessionEnd.byUser(userId)
      // The access tokens are revoked as a group. Locked in order, as everywhere.
      yield * queryStep(connection, {}, sql`
        DELETE FROM revocation WHERE id IN (SELECT id FROM revocation WHERE user_id = ${userId} ${lock})`)
      for (const table of TABLES) yield * queryStep(connection, {}, sql`DELETE FROM ${raw(table)} WHERE user_id = ${userId}`)
      return userId
    })
  }
}
