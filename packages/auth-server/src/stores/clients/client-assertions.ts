import type { Connection } from '@frontdesk/database/connection'
import { exists, sql } from '@frontdesk/database/sql'
import { usedOnce } from '@frontdesk/database/used-once'
import { clientAssertion } from '../../generated/tables.js'

/** Used-once ledger of client assertions (RFC 7523 §3), pushed requests (RFC 9126 §4), DPoP proofs (RFC 9449 §11.1), and mailed codes. */
export interface ClientAssertions {
  /** Atomic: stores an assertion until it expires. Exactly one concurrent caller gets `true`. Concurrent calls share a statement. */
  add (idHash: string, expiresAt: Date): Promise<boolean>
  /** Whether an assertion is stored. */
  has (idHash: string): Promise<boolean>
}

export function openClientAssertions (connection: Connection): ClientAssertions {
  return {
    add: usedOnce(connection, clientAssertion),
    has: idHash => exists(connection, sql`SELECT 1 FROM client_assertion WHERE id_hash = ${idHash}`)
  }
}
