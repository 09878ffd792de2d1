import type { Consents } from '../consents.js'
import type { Database } from './database.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'

/** Scopes of one person and client after which no more are kept: rows that nothing removes need a bound. */
const LIMIT = 100

/** {@link Consents} in a database: a row for each scope, so that nothing is lost of what is allowed at once. */
export function openConsents (database: Database, connection: Connection): Consents {
  const addition = new ListStatement(connection, list => `
    WITH entry (user_id, client_id, audience, scope, allowed_at) AS (${list})
    INSERT INTO consent (user_id, client_id, audience, scope, allowed_at)
    SELECT DISTINCT user_id, client_id, audience, scope, allowed_at FROM entry
    WHERE (SELECT COUNT(*) FROM consent AS kept WHERE kept.user_id = entry.user_id AND kept.client_id = entry.client_id) < ${LIMIT} ORDER BY scope
    ON CONFLICT DO NOTHING RETURNING scope`, ['string', 'string', 'string', 'string', 'datetime'])
  return {
    async find ({ userId, clientId, audience }) {
      return (await database.consent.findMany({ where: { userId, clientId, audience }, select: { scope: true } })).map(({ scope }) => scope)
    },
    async add ({ userId, clientId, audience, scope, allowedAt }) {
      await addition.run(scope.map(it => [userId, clientId, audience, it, allowedAt]))
    },
    async forgetRevoked ({ userId, clientId }, nonceHash) {
      await database.$executeRaw`
        DELETE FROM consent WHERE user_id = ${userId} AND client_id = ${clientId}
          AND EXISTS (SELECT 1 FROM access_grant JOIN revocation ON revocation.id = access_grant.id WHERE nonce_hash = ${nonceHash})`
    }
  }
}
