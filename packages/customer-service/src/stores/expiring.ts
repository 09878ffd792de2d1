import { expiring } from '@frontdesk/database/expired'
import { dismissedPair, dpopProof, idempotencyKey, importProgress, throttle } from '../generated/tables.js'

/** Tables whose rows expire. Changes expire by the retention of the history and the feed, see `changes/changes.ts`. */
export const EXPIRING = {
  'idempotency key': expiring(idempotencyKey, 'hash', 'expiresAt'),
  'dismissed pair': expiring(dismissedPair, ['lowerId', 'higherId'], 'expiresAt'),
  import: expiring(importProgress, 'hash', 'expiresAt'),
  proof: expiring(dpopProof, 'hash', 'expiresAt'),
  counter: expiring(throttle, 'key', 'expire')
}

// as: the keys of a constant.
export const expiringTables = Object.keys(EXPIRING) as Array<keyof typeof EXPIRING>
