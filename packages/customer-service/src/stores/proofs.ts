import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { execute, query, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { usedOnce } from '@frontdesk/database/used-once'
import { randomBytes } from 'node:crypto'
import { dpopNonceKey, dpopProof } from '../generated/tables.js'

/** The DPoP proofs that were used (RFC 9449 §11.1), and what all replicas make their nonces with. */
export interface UsedProofs {
  /** The time that all replicas agree on. */
  now (): Date
  /** Stores a proof until it can no longer be used. Atomic: exactly one concurrent caller gets `true`, every other `false`. */
  add (hash: string, expiresAt: Date): Promise<boolean>
  /** The key for nonces, of 256 random bits. The first caller ever makes it. */
  nonceKey (): Promise<Uint8Array>
}

/** Opens {@link UsedProofs}. Concurrent additions share a statement. */
export function openProofs (connection: Connection, clock: Pick<Clock, 'now'>): UsedProofs {
  return {
    now: () => clock.now(),
    add: usedOnce(connection, dpopProof),
    async nonceKey () {
      await execute(connection, sql`
        INSERT INTO dpop_nonce_key (id, secret) VALUES (1, ${randomBytes(32).toString('base64url')}) ON CONFLICT DO NOTHING`)
      const [row] = await query(connection, pick(dpopNonceKey, 'secret'), sql`SELECT secret FROM dpop_nonce_key`)
      // !: the statement before has added it, unless it was there.
      return new Uint8Array(Buffer.from(row!.secret, 'base64url'))
    }
  }
}
