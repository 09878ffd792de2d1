import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import type { Row } from '@frontdesk/database/rows'
import { runBatch } from '@frontdesk/database/run-batch'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { authorizationCode } from '../../generated/tables.js'
import { CODE, createCodeExchange, type AuthorizationCode, type CodeExchange, type Exchanged } from './code-exchange.js'
import type { NewTokens } from './token-insertion.js'

const STORED = pick(authorizationCode, 'grantId', 'audience', 'spentAt')

/** The part of a code that an error response needs. */
type StoredCode = Row<typeof STORED>

/** Authorization codes. Only their hashes are stored. */
export interface AuthorizationCodes {
  /** Stores a code. Has no effect if its client was removed: its grant is gone, too. */
  add (code: AuthorizationCode): Promise<void>
  /**
   * Atomic: spends a code, adds the refresh token and extends the grant, in one transaction. Exactly one concurrent caller
   * succeeds. Returns `null`, with nothing changed, if the code is expired, spent, bound to other values, or its grant is not
   * live. After an error the code is unspent; if the outcome of COMMIT is unknown, the code and its tokens are removed.
   */
  exchange (exchange: CodeExchange, newTokens: NewTokens, now: Date): Promise<Exchanged | null>
  /** The code of this client with this verifier, spent or not; `null` if there is none. */
  find (exchange: Pick<CodeExchange, 'hash' | 'clientId' | 'codeChallenge'>): Promise<StoredCode | null>
}

/** Opens the store. Concurrent additions share a statement, and concurrent exchanges a transaction. */
export function openAuthorizationCodes (connection: Connection): AuthorizationCodes {
  const addition = listStatement(connection, {
    entry: CODE,
    sql: entries => `
      INSERT INTO authorization_code (${columnNames(CODE)}) SELECT DISTINCT ${columns(CODE, 'entry')} FROM ${entries}
      WHERE ${correlatedExists('client WHERE client.id = entry.client_id')}`
  })
  const additions = new Batcher(async (codes: AuthorizationCode[], mode) => {
    await runBatch(connection, addition, codes.map(code => ({ nonce: null, dpopJkt: null, sid: null, ...code })), mode)
    return codes.map(() => undefined)
  }, connection)
  return {
    add: code => additions.run(code),
    exchange: createCodeExchange(connection),
    async find ({ hash, clientId, codeChallenge }) {
      const [kept] = await query(connection, STORED, sql`
        SELECT ${raw(columnNames(STORED))} FROM authorization_code
        WHERE hash = ${hash} AND client_id = ${clientId} AND code_challenge = ${codeChallenge}`)
      return kept ?? null
    }
  }
}
