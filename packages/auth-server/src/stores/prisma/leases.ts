import type { Leases } from '../leases.js'
import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'

/** How long work that is done every five minutes is that of its holder, in seconds: until it has missed its turn. */
const LENGTH = 7.5 * 60

/** {@link Leases} in a database. */
export function openLeases (connection: Connection): Leases {
  return { take: leases(connection, { seconds: LENGTH, takenAt: false }) }
}
