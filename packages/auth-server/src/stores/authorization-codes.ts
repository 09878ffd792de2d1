import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { createCodeExchange, type AuthorizationCode, type CodeExchange, type CodeYield } from './code-exchange.js'
import type { Database } from './database.js'
import type { Refreshed } from './refresh-tokens.js'

/** The codes. Only their hashes are stored. */
export interface AuthorizationCodes {
  /** Stores a code, unless its client is removed: then there is no grant for it either. */
  add (code: AuthorizationCode): Promise<void>
  /**
   * Atomic: spends a code, adds the refresh token and extends the grant, in one transaction. Exactly one concurrent caller
   * succeeds. Returns `null`, with nothing changed, if the code is expired, spent, bound to other values, or its grant is not
   * live. After an error the code is unspent; if the outcome of COMMIT is unknown, the code and its tokens are removed.
   */
  exchange (exchange: CodeExchange, yields: CodeYield, now: Date): Promise<Refreshed | null>
  /** The grant of a code that this client has exchanged with this verifier; else `null`. */
  findSpent (exchange: Pick<CodeExchange, 'hash' | 'clientId' | 'codeChallenge'>): Promise<Pick<AuthorizationCode, 'grantId'> | null>
  /** Removes up to `limit` codes that expired a day ago: until then, reuse is detected. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** How long a code is kept after it expired, to detect reuse, in milliseconds. */
const RETENTION_MS = 24 * 60 * 60_000

/** {@link AuthorizationCodes} in a database. Concurrent additions share a statement, and concurrent exchanges a transaction. */
export function openAuthorizationCodes (database: Database, connection: Connection): AuthorizationCodes {
  const addition = new ValuesStatement(connection, list => `
    WITH entry (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience, auth_time, created_at, expires_at) AS (${list})
    INSERT INTO authorization_code (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience, auth_time, created_at, expires_at)
    SELECT DISTINCT hash, grant_id, client_id, user_id, redirect_uri, callback_named > 0, code_challenge, scope, audience, auth_time, created_at, expires_at
    FROM entry WHERE EXISTS (SELECT 1 FROM client WHERE client.id = entry.client_id)`,
  ['string', 'string', 'string', 'string', 'string', 'int', 'string', 'string', 'string', 'datetime', 'datetime', 'datetime'])
  const additions = new Batch(async (codes: AuthorizationCode[]) => {
    await addition.run(codes.map(it => [
      it.hash, it.grantId, it.clientId, it.userId, it.redirectUri, Number(it.callbackNamed), it.codeChallenge, it.scope, it.audience,
      it.authTime, it.createdAt, it.expiresAt
    ]))
    return codes.map(() => undefined)
  }, connection)
  return {
    add: code => additions.ask(code),
    exchange: createCodeExchange(connection),
    findSpent: ({ hash, clientId, codeChallenge }) =>
      database.authorizationCode.findFirst({ where: { hash, clientId, codeChallenge, spentAt: { not: null } } }),
    async sweep (now, limit) {
      return (await database.authorizationCode.deleteMany({
        where: { expiresAt: { lte: new Date(now.getTime() - RETENTION_MS) } }, limit
      })).count
    }
  }
}
