import type { Connection } from '@frontdesk/database/connection'
import { executeStep, exists, newRow, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { usedOnce } from '@frontdesk/database/used-once'
import { spentId } from '../../generated/tables.js'

/**
 * Used-once ledger: client assertions (RFC 7523 §3), pushed requests (RFC 9126 §4), DPoP proofs (RFC 9449 §11.1), challenges of passkeys,
 * mailed codes, and links.
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

/** The same as {@link SpentIds.add}, as a step of a transaction. */
export function * spendStep (connection: Connection, idHash: string, expiresAt: Date): Steps<boolean> {
  const added = yield * executeStep(connection, sql`
    INSERT INTO spent_id ${newRow(spentId.columns, { idHash, expiresAt })} ON CONFLICT DO NOTHING`)
  return added === 1
}
