import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { execute, query, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { usedOnce } from '@frontdesk/database/used-once'
import { randomBytes } from 'node:crypto'
import { dpopNonceKey, dpopProof } from '../generated/tables.js'

export type UsedProofs = ReturnType<typeof openProofs>

/** Opens the used DPoP proofs (RFC 9449 §11.1) and the key for nonces, which all replicas share. */
export function openProofs (connection: Connection, clock: Pick<Clock, 'now'>) {
  return {
    now: () => clock.now(),
    /** Stores a proof until it expires. Atomic: exactly one concurrent caller gets `true`. Concurrent calls share a statement. */
    add: usedOnce(connection, dpopProof),
    /** Reads the key for nonces, 256 random bits, or creates it. */
    async nonceKey (): Promise<Uint8Array> {
      await execute(connection, sql`
        INSERT INTO dpop_nonce_key (id, secret) VALUES (1, ${randomBytes(32).toString('base64url')}) ON CONFLICT DO NOTHING`)
      const [row] = await query(connection, pick(dpopNonceKey, 'secret'), sql`SELECT secret FROM dpop_nonce_key`)
      // !: inserted above.
      return new Uint8Array(Buffer.from(row!.secret, 'base64url'))
    }
  }
}
