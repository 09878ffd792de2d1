import type { Connection } from '@frontdesk/database/connection'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { openAuthorizedAppsList, type AuthorizedAppsList } from './authorized-apps-list.js'
import { createAccessEnd } from './end-access.js'

/** The apps that people have authorized: grants and remembered consent, by app. */
export interface AuthorizedApps {
  /**
   * The authorized apps, most recently used first: at most 100, and whether there are more. One statement.
   * @param accessTokenTtl lifetime of the access tokens of an app without its own, in seconds
   */
  of: AuthorizedAppsList
  /**
   * Atomic: revokes all tokens that the client has for the person, also those in flight, and forgets remembered consent.
   * Returns how many scopes were remembered; `null` for an unknown client.
   */
  remove (userId: string, clientId: string): Promise<{ remembered: number } | null>
}

/** {@link AuthorizedApps} in a database. */
export function openAuthorizedApps (connection: Connection): AuthorizedApps {
  const access = createAccessEnd(connection)
  return {
    of: openAuthorizedAppsList(connection),
    remove: (userId, clientId) => connection.transact(function * (): Steps<{ remembered: number } | null> {
      const [client] = yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${clientId}`)
      if (client === undefined) return null
      yield * access.steps([{ userId, clientId }])
      yield * queryStep(connection, {}, sql`DELETE FROM app_use WHERE user_id = ${userId} AND client_id = ${clientId}`)
      // Consent that is added concurrently keeps the old epoch, so it does not count.
      const forgotten = yield * queryStep(connection, { scope: 'string' }, sql`
        DELETE FROM consent WHERE user_id = ${userId} AND client_id = ${clientId} RETURNING scope`)
      return { remembered: forgotten.length }
    })
  }
}
