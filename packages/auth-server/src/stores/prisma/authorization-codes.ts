import type { AuthorizationCodes } from '../authorization-codes.js'
import { createCodeExchange } from './code-exchange.js'
import type { Database } from './database.js'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** How long a code is kept after its end, in milliseconds, to know it when it comes again. */
const MEMORY = 24 * 60 * 60_000

/** {@link AuthorizationCodes} in a database. */
export function openAuthorizationCodes (database: Database, connection: Connection): AuthorizationCodes {
  const addition = new ValuesStatement(connection, list => `
    WITH entry (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience, auth_time, created_at, expires_at) AS (${list})
    INSERT INTO authorization_code (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience, auth_time, created_at, expires_at)
    SELECT hash, grant_id, client_id, user_id, redirect_uri, callback_named > 0, code_challenge, scope, audience, auth_time, created_at, expires_at
    FROM entry WHERE EXISTS (SELECT 1 FROM client WHERE client.id = entry.client_id)`,
  ['string', 'string', 'string', 'string', 'string', 'int', 'string', 'string', 'string', 'datetime', 'datetime', 'datetime'])
  return {
    async add ({ hash, grantId, clientId, userId, redirectUri, callbackNamed, codeChallenge, scope, audience, authTime, createdAt, expiresAt }) {
      await addition.run([[hash, grantId, clientId, userId, redirectUri, Number(callbackNamed), codeChallenge, scope, audience, authTime, createdAt, expiresAt]])
    },
    exchange: createCodeExchange(connection),
    findSpent: ({ hash, clientId, codeChallenge }) => database.authorizationCode.findFirst({ where: { hash, clientId, codeChallenge, spentAt: { not: null } } }),
    async sweep (now, limit) {
      return (await database.authorizationCode.deleteMany({ where: { expiresAt: { lte: new Date(now.getTime() - MEMORY) } }, limit })).count
    }
  }
}
