import type { Connection } from '@frontdesk/database/connection'
import { exists, sql } from '@frontdesk/database/sql'
import { usedOnce } from '@frontdesk/database/used-once'
import { spentId } from '../../generated/tables.js'

/**
 * Used-once ledger: client assertions (RFC 7523 §3), pushed requests (RFC 9126 §4), DPoP proofs (RFC 9449 §11.1), and mailed codes. The
 * challenges of passkeys, the links of `/not-me` and those that set up factors are in its table, too.
 */
export interface SpentIds {
  /** Atomic: stores an id until it expires. Exactly one concurrent caller gets `true`. Concurrent calls share a statement. */
  add (idHash: string, expiresAt: Date): Promise<boolean>
  /** Whether an id is stored. */
  has (idHash: string): Promise<boolean>
}

export function openSpentIds (connection: Connection): SpentIds {
  return {
    add: usedOnce(connection, spentId),
    has: idHash => exists(connection, sql`SELECT 1 FROM spent_id WHERE id_hash = ${idHash}`)
  }
}
