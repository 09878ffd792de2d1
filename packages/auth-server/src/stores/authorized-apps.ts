import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { openAuthorizedAppsList, type AuthorizedAppsList } from './authorized-apps-list.js'
import type { Database } from './database.js'
import { createAccessEnd } from './end-access.js'
import { foldUsername } from './fold-username.js'
import { grantEpoch } from './live-grant.js'

/** The grants of people, and what is remembered of their consent, by app. */
export interface AuthorizedApps {
  /**
   * The apps that have access, the app used last first: at most 100, and whether there are more. One statement, however many
   * grants there are.
   * @param accessTokenTtl lifetime of the access tokens of an app without its own, in seconds
   */
  of: AuthorizedAppsList
  /**
   * Sum of the access epochs of the person of that user name, the client and the person at the client; 0 if there is no such
   * person. Read before a password is verified, it shows whether access has ended meanwhile.
   */
  epoch (username: string, clientId: string): Promise<number>
  /**
   * Ends all that the person has allowed the client, in one transaction and however much it is: its tokens are revoked, also
   * those in flight, and consent is forgotten. Says how many scopes were remembered; `null` if there is no such client.
   */
  remove (userId: string, clientId: string): Promise<{ remembered: number } | null>
}

/** {@link AuthorizedApps} in a database. */
export function openAuthorizedApps (database: Database, connection: Connection): AuthorizedApps {
  const access = createAccessEnd(connection)
  const known = new ValuesStatement(connection, list => `SELECT id FROM client WHERE id IN (${list})`, ['string'])
  const epochs = new ValuesStatement(connection, list => `
    SELECT ${grantEpoch('id', 'column2')} FROM user_account JOIN (${list}) AS asked ON username_key = column1`, ['string', 'string'], { epoch: 'int' })
  const consents = new ValuesStatement(connection, list => `
    DELETE FROM consent WHERE (user_id, client_id) IN (${list}) RETURNING scope`, ['string', 'string'])
  return {
    of: openAuthorizedAppsList(database, connection),
    async epoch (username, clientId) {
      // PostgreSQL has no text with NUL.
      const [row] = username.includes('\0') ? [] : await epochs.run([[foldUsername(username), clientId]])
      return row?.epoch ?? 0
    },
    remove: (userId, clientId) => connection.transact(function * () {
      const [client] = yield known.query([[clientId]])
      if (client === undefined) return null
      yield * access.steps([{ userId, clientId }])
      // Consent that is added at this moment keeps the epoch before.
      return { remembered: (yield consents.query([[userId, clientId]])).length }
    })
  }
}
