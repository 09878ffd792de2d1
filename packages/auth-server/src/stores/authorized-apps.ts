import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
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
  const known = new ValuesStatement(connection, list => `SELECT id FROM client WHERE id IN (${list})`, ['string'])
  const consents = new ValuesStatement(connection, list => `
    DELETE FROM consent WHERE (user_id, client_id) IN (${list}) RETURNING scope`, ['string', 'string'])
  const uses = new ValuesStatement(connection, list => `DELETE FROM app_use WHERE (user_id, client_id) IN (${list})`, ['string', 'string'])
  return {
    of: openAuthorizedAppsList(connection),
    remove: (userId, clientId) => connection.transact(function * () {
      const [client] = yield known.query([[clientId]])
      if (client === undefined) return null
      yield * access.steps([{ userId, clientId }])
      yield uses.query([[userId, clientId]])
      // Consent that is added concurrently keeps the old epoch, so it does not count.
      return { remembered: (yield consents.query([[userId, clientId]])).length }
    })
  }
}
