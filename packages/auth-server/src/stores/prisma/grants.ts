import type { Grant, Grants } from '../grants.js'
import type { Database } from './database.js'
import { Batch } from './generated/database/batch.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'

/** {@link Grants} in a database. Those that come at once are recorded together. */
export function openGrants (database: Database, connection: Connection): Grants {
  const additions = addGrants(connection)
  return {
    add: grant => additions.ask(grant),
    async extend (id, expiresAt) {
      await database.accessGrant.updateMany({ where: { id, expiresAt: { lt: expiresAt } }, data: { expiresAt } })
    },
    async sweep (now, limit) {
      return (await database.accessGrant.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

/** Adds grants; answers whether the nonce was unspent. */
function addGrants (connection: Connection): Batch<Grant, boolean> {
  // The unique nonce decides: asking first and adding after would let two callers through.
  const statement = new ListStatement(connection, list => `
    INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, created_at, expires_at) ${list}
    ON CONFLICT DO NOTHING RETURNING id`, ['string', 'string', 'string', 'string', 'string', 'string', 'string', 'datetime', 'datetime'])
  return new Batch(async grants => {
    const rows = grants.map(({ id, nonceHash, clientId, userId, responseType, scope, audience, createdAt, expiresAt }) =>
      [id, nonceHash, clientId, userId, responseType, scope, audience, createdAt, expiresAt] as const)
    const added = new Set((await statement.run(rows)).map(([id]) => id))
    return grants.map(({ id }) => added.has(id))
  }, connection)
}
