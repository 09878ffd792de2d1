import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'

/** Work that one replica does at a time. */
export interface Leases {
  /**
   * Takes or keeps a lease for some minutes, by the clock of the database. Atomic: exactly one concurrent caller gets
   * `true`. A holder that does not come back in time loses it.
   */
  take (name: string, holder: string): Promise<boolean>
}

/** How long work that is done every five minutes is that of its holder, in seconds: until it has missed its turn. */
const LENGTH = 7.5 * 60

/** {@link Leases} in a database. */
export function openLeases (connection: Connection): Leases {
  return { take: leases(connection, { seconds: LENGTH, takenAt: false }) }
}
