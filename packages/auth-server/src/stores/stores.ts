import type { Audit } from './audit.js'
import type { AuthorizationCodes } from './authorization-codes.js'
import type { ClientAssertions } from './client-assertions.js'
import type { ClientSecrets } from './client-secrets.js'
import type { Clients } from './clients.js'
import type { Clock } from './clock.js'
import type { Consents } from './consents.js'
import type { Grants } from './grants.js'
import type { ImplicitUses } from './implicit-uses.js'
import type { Leases } from './leases.js'
import type { RefreshTokens } from './refresh-tokens.js'
import type { AuthorizedApps } from './authorized-apps.js'
import type { Revocations } from './revocations.js'
import type { Sessions } from './sessions.js'
import type { SigningKeys } from './signing-keys.js'
import type { Throttles } from './throttle.js'
import type { Users } from './users.js'

/** Everything that auth-server keeps. */
export interface Stores {
  clients: Clients
  clientSecrets: ClientSecrets
  clientAssertions: ClientAssertions
  users: Users
  sessions: Sessions
  grants: Grants
  consents: Consents
  codes: AuthorizationCodes
  refreshTokens: RefreshTokens
  revocations: Revocations
  authorizedApps: AuthorizedApps
  signingKeys: SigningKeys
  throttles: Throttles
  leases: Leases
  audit: Audit
  implicitUses: ImplicitUses
  clock: Clock
  /** Resolves when the database answers: to `ok`, or to why what is written to it is lost. @throws if it does not */
  ping (): Promise<string>
  /** How long the question has waited that waits longest for the database, in milliseconds. */
  queueAge (): number
  /** The connections to PostgreSQL; `null` with SQLite, which has none. */
  pool (): { used: number, idle: number, waiting: number } | null
  close (): Promise<void>
}
