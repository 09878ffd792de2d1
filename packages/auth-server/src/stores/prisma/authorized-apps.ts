import type { AuthorizedApps } from '../authorized-apps.js'
import { openAccessList } from './access-list.js'
import type { Database } from './database.js'
import { createAccessEnd } from './end-access.js'
import { foldUsername } from './fold-username.js'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { grantEpoch } from './live-grant.js'

/** {@link AuthorizedApps} in a database. */
export function openAuthorizedApps (database: Database, connection: Connection): AuthorizedApps {
  const access = createAccessEnd(connection)
  const known = new ValuesStatement(connection, list => `SELECT id FROM client WHERE id IN (${list})`, ['string'])
  const epochs = new ValuesStatement(connection, list => `
    SELECT ${grantEpoch('id', 'column2')} FROM user_account JOIN (${list}) AS asked ON username_key = column1`, ['string', 'string'])
  const consents = new ValuesStatement(connection, list => `
    DELETE FROM consent WHERE (user_id, client_id) IN (${list}) RETURNING scope`, ['string', 'string'])
  return {
    of: openAccessList(database, connection),
    async epoch (username, clientId) {
      // PostgreSQL has no text with NUL.
      const [row] = username.includes('\0') ? [] : await epochs.run([[foldUsername(username), clientId]])
      return row === undefined ? 0 : Number(row[0])
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
