import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { usedOnce } from '@frontdesk/database/used-once'
import { clientAssertion } from '../../generated/tables.js'

/**
 * Assertions that clients have authenticated with (RFC 7523 §3), requests that they have pushed (RFC 9126 §4), and proofs of their keys
 * (RFC 9449 §11.1): each counts once.
 */
export interface ClientAssertions {
  /** Stores an assertion until it expires. Atomic: exactly one concurrent caller gets `true`, every other `false`. */
  add (idHash: string, expiresAt: Date): Promise<boolean>
  /** Whether an assertion was stored and has not been removed. */
  has (idHash: string): Promise<boolean>
}

/** {@link ClientAssertions} in a database. Concurrent additions share a statement. */
export function openClientAssertions (connection: Connection): ClientAssertions {
  return {
    add: usedOnce(connection, clientAssertion),
    async has (idHash) {
      return (await query(connection, { idHash: 'string' }, sql`SELECT id_hash FROM client_assertion WHERE id_hash = ${idHash}`)).length > 0
    }
  }
}
