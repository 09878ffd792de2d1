import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { usedOnce } from '@frontdesk/database/used-once'
import { randomBytes } from 'node:crypto'
import { dpopProof } from '../../generated/tables.js'

/** Proofs that one statement removes, at most: short statements do not hold up others. */
const REMOVAL_BATCH = 500

/** The DPoP proofs that were used (RFC 9449 §11.1), and what all replicas make their nonces with. */
export interface UsedProofs {
  /** The time that all replicas agree on. */
  now (): Date
  /** Stores a proof until it can no longer be used. Atomic: exactly one concurrent caller gets `true`, every other `false`. */
  add (hash: string, expiresAt: Date): Promise<boolean>
  /** The key for nonces, of 256 random bits. The first caller ever makes it. */
  nonceKey (): Promise<Uint8Array>
  /** Removes expired proofs in small statements. Returns how many. @param until unless given, a time that the clock is sure has passed */
  removeExpired (until?: Date): Promise<number>
}

/** Opens {@link UsedProofs}. Concurrent additions share a statement. */
export function openProofs (connection: Connection, clock: Pick<Clock, 'now' | 'settled'>): UsedProofs {
  return {
    now: () => clock.now(),
    add: usedOnce(connection, dpopProof),
    async nonceKey () {
      await query(connection, {}, sql`
        INSERT INTO dpop_nonce_key (id, secret) VALUES (1, ${randomBytes(32).toString('base64url')}) ON CONFLICT DO NOTHING`)
      const [row] = await query(connection, { secret: 'string' }, sql`SELECT secret FROM dpop_nonce_key`)
      // !: the statement before has added it, unless it was there.
      return new Uint8Array(Buffer.from(row!.secret, 'base64url'))
    },
    async removeExpired (given) {
      const until = given ?? await clock.settled()
      let total = 0
      if (until === null) return total
      let rows
      do {
        rows = (await query(connection, { hash: 'string' }, sql`
          DELETE FROM dpop_proof WHERE hash IN (SELECT hash FROM dpop_proof WHERE expires_at <= ${until} LIMIT ${REMOVAL_BATCH}) RETURNING hash`)).length
        total += rows
      } while (rows === REMOVAL_BATCH)
      return total
    }
  }
}
