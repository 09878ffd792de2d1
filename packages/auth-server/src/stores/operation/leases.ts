import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'

/** Leases: one replica at a time does the work. */
export interface Leases {
  /**
   * Atomic: acquires or renews a lease for some minutes, by the database's clock. Exactly one concurrent caller gets `true`. A
   * holder that does not renew in time loses it.
   */
  take (name: string, holder: string): Promise<boolean>
}

/** Length of a lease, in seconds: the work runs every five minutes, and its holder can be late once. */
const LEASE_S = 7.5 * 60

export function openLeases (connection: Connection): Leases {
  return { take: leases(connection, { seconds: LEASE_S, takenAt: false }) }
}
