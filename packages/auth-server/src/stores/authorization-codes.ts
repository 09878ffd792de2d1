import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { createCodeExchange, type AuthorizationCode, type CodeExchange, type Exchanged } from './code-exchange.js'
import type { CodeYield } from './grant-yield.js'
import { sweepRows } from './sweep.js'

/** A code, and when it was exchanged; `null`: not yet. */
export type KeptCode = Pick<AuthorizationCode, 'grantId' | 'audience'> & { readonly spentAt: Date | null }

/** The codes. Only their hashes are stored. */
export interface AuthorizationCodes {
  /** Stores a code, unless its client is removed: then there is no grant for it either. */
  add (code: AuthorizationCode): Promise<void>
  /**
   * Atomic: spends a code, adds the refresh token and extends the grant, in one transaction. Exactly one concurrent caller
   * succeeds. Returns `null`, with nothing changed, if the code is expired, spent, bound to other values, or its grant is not
   * live. After an error the code is unspent; if the outcome of COMMIT is unknown, the code and its tokens are removed.
   */
  exchange (exchange: CodeExchange, yields: CodeYield, now: Date): Promise<Exchanged | null>
  /** What is kept of a code of this client with this verifier; else `null`. */
  find (exchange: Pick<CodeExchange, 'hash' | 'clientId' | 'codeChallenge'>): Promise<KeptCode | null>
  /** Removes up to `limit` codes that expired a day ago: until then, reuse is detected. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** How long a code is kept after it expired, to detect reuse, in milliseconds. */
const RETENTION_MS = 24 * 60 * 60_000

/** {@link AuthorizationCodes} in a database. Concurrent additions share a statement, and concurrent exchanges a transaction. */
export function openAuthorizationCodes (connection: Connection): AuthorizationCodes {
  const addition = new ValuesStatement(connection, list => `
    WITH entry (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience,
      auth_time, nonce, dpop_jkt, created_at, expires_at, sid) AS (${list})
    INSERT INTO authorization_code (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience,
      auth_time, nonce, dpop_jkt, created_at, expires_at, sid)
    SELECT DISTINCT hash, grant_id, client_id, user_id, redirect_uri, callback_named > 0, code_challenge, scope, audience,
      auth_time, nonce, dpop_jkt, created_at, expires_at, sid
    FROM entry WHERE EXISTS (SELECT 1 FROM client WHERE client.id = entry.client_id)`,
  [
    'string', 'string', 'string', 'string', 'string', 'int', 'string', 'string', 'string', 'datetime', 'string', 'string', 'datetime',
    'datetime', 'string'
  ])
  const additions = new Batch(async (codes: AuthorizationCode[]) => {
    await addition.run(codes.map(it => [
      it.hash, it.grantId, it.clientId, it.userId, it.redirectUri, Number(it.callbackNamed), it.codeChallenge, it.scope, it.audience,
      it.authTime, it.nonce ?? null, it.dpopJkt ?? null, it.createdAt, it.expiresAt, it.sid ?? null
    ]))
    return codes.map(() => undefined)
  }, connection)
  return {
    add: code => additions.ask(code),
    exchange: createCodeExchange(connection),
    async find ({ hash, clientId, codeChallenge }) {
      const [kept] = await query(connection, { grantId: 'string', audience: 'string', spentAt: 'datetime?' }, sql`
        SELECT grant_id, audience, spent_at FROM authorization_code
        WHERE hash = ${hash} AND client_id = ${clientId} AND code_challenge = ${codeChallenge}`)
      return kept ?? null
    },
    async sweep (now, limit) {
      const where = sql`expires_at <= ${new Date(now.getTime() - RETENTION_MS)}`
      return await sweepRows(connection, { table: 'authorization_code', key: 'hash', where }, limit)
    }
  }
}
