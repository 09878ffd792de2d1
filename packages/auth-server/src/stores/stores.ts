import type { Clients } from './clients.js'
import type { Grants } from './grants.js'
import type { Leases } from './leases.js'
import type { Sessions } from './sessions.js'
import type { SigningKeys } from './signing-keys.js'
import type { Throttles } from './throttle.js'
import type { Users } from './users.js'

/** Everything that auth-server keeps. */
export interface Stores {
  clients: Clients
  users: Users
  sessions: Sessions
  grants: Grants
  signingKeys: SigningKeys
  throttles: Throttles
  leases: Leases
  /** Resolves when the database answers. @throws if it does not */
  ping (): Promise<void>
  /** The connections to PostgreSQL; `null` with SQLite, which has none. */
  pool (): { used: number, idle: number, waiting: number } | null
  close (): Promise<void>
}
