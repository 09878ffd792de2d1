import { queueAge } from '@frontdesk/database/batch'
import { openClock, type Clock as DatabaseClock } from '@frontdesk/database/clock'
import { connect } from '@frontdesk/database/connect'
import { inspect } from '@frontdesk/database/inspect'
import { migrate } from '@frontdesk/database/migrate'
import { loadDatabase, type Config } from '../config.js'
import { openAudit } from './audit.js'
import { openAuthorizationCodes } from './authorization-codes.js'
import { openAuthorizedApps } from './authorized-apps.js'
import { openClientAssertions } from './client-assertions.js'
import { openClientSecrets } from './client-secrets.js'
import { openClients } from './clients.js'
import { openConsents } from './consents.js'
import { openGrants } from './grants.js'
import { openImplicitUses } from './implicit-uses.js'
import { openLeases } from './leases.js'
import { openRefreshTokens } from './refresh-tokens.js'
import { openRevocations } from './revocations.js'
import { openSessions } from './sessions.js'
import { openSigningKeys } from './signing-keys.js'
import { openThrottles } from './throttles.js'
import { openUsers } from './users.js'

/** The time that all replicas agree on. */
export type Clock = Omit<DatabaseClock, 'stop'>

/** Everything that auth-server keeps. */
export type Stores = Awaited<ReturnType<typeof openMigrated>>

/** Where the committed migrations are. */
export const MIGRATIONS = new URL('../../migrations/', import.meta.url)
/** What PostgreSQL shows. */
export const NAME = { applicationName: 'frontdesk-auth' }

/** Looks at the database without a change to it. @throws if it cannot be reached or read */
export async function inspectDatabase (url: string, options: Config['database']) {
  return await inspect(url, MIGRATIONS, { ...options, ...NAME })
}

/**
 * Migrates and opens the database, and makes the first query, which compiles the others.
 * @param url `file:/absolute/path` or `postgresql://…`
 * @param options how it is reached; by default as without any settings
 * @throws if it cannot be reached or migrated
 */
export async function openStores (url: string, options = loadDatabase({}).database): Promise<Stores> {
  await migrate(url, MIGRATIONS, { ...options, ...NAME })
  return await openMigrated(url, options)
}

/** Opens a database whose tables are up to date. @throws if it cannot be reached */
export async function openMigrated (url: string, options: Config['database']) {
  let pool: Parameters<NonNullable<Parameters<typeof connect>[1]['onPool']>>[0] | undefined
  const connection = await connect(url, { ...options, ...NAME, onPool: it => { pool = it } })
  // as: both clients are generated from the same models; they differ in what these stores do not use.
  const { PrismaClient } = (connection.adapter.provider === 'sqlite'
    ? await import('../generated/sqlite/client.js')
    : await import('../generated/postgresql/client.js')) as typeof import('../generated/sqlite/client.js')
  const database = new PrismaClient({ adapter: connection.adapter })
  await database.client.findFirst({ select: { id: true } })
  const { stop, ...clock }: DatabaseClock = await openClock(connection)
  return {
    clients: openClients(database, connection),
    clientSecrets: openClientSecrets(database),
    clientAssertions: openClientAssertions(database),
    users: openUsers(database, connection),
    sessions: openSessions(database, connection),
    grants: openGrants(database, connection),
    consents: openConsents(connection),
    codes: openAuthorizationCodes(database, connection),
    refreshTokens: openRefreshTokens(database, connection),
    revocations: openRevocations(database),
    authorizedApps: openAuthorizedApps(database, connection),
    signingKeys: openSigningKeys(database),
    throttles: openThrottles(database, connection, clock),
    leases: openLeases(connection),
    audit: openAudit(database, connection),
    implicitUses: openImplicitUses(database, connection),
    clock,
    /** Resolves when the database answers: to `ok`, or to why what is written to it is lost. @throws if it does not */
    async ping () {
      await database.client.findFirst({ select: { id: true } })
      return connection.whyLost() ?? 'ok'
    },
    /** How long the question has waited that waits longest for the database, in milliseconds. */
    queueAge,
    /** The connections to PostgreSQL; `null` with SQLite, which has none. */
    pool: () => pool === undefined ? null : { used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount },
    async close () {
      stop()
      await database.$disconnect()
      await connection.close()
    }
  }
}
