import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'

/** Leases: one replica at a time does the work. */
export interface Leases {
  /**
   * Takes or renews a lease for some minutes, by the clock of the database. Atomic: exactly one concurrent caller gets
   * `true`. A holder that does not renew in time loses it.
   */
  take (name: string, holder: string): Promise<boolean>
}

/** Lifetime of a lease for work that runs every five minutes, in seconds: its holder may be late once. */
const LENGTH = 7.5 * 60

/** {@link Leases} in a database. */
export function openLeases (connection: Connection): Leases {
  return { take: leases(connection, { seconds: LENGTH, takenAt: false }) }
}
