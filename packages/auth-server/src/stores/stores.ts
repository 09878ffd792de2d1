import { queueAge } from '@frontdesk/database/batch'
import { openClock, TICKS, type Clock as DatabaseClock } from '@frontdesk/database/clock'
import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import type { ConnectOptions } from '@frontdesk/database/dialect'
import { removeExpired } from '@frontdesk/database/expired'
import { inspect } from '@frontdesk/database/inspect'
import { leases } from '@frontdesk/database/leases'
import { migrate } from '@frontdesk/database/migrate'
import { query, sql } from '@frontdesk/database/sql'
import { loadDatabase, type Config } from '../config.js'
import { claiming, openAdminRequests, type AdminRequest } from './operation/admin-requests.js'
import { openAudit, recording } from './operation/audit.js'
import { openAuditSeals } from './operation/audit-seals.js'
import type { NewAuditRow } from './operation/audit-row.js'
import { openAuthorizationCodes } from './grants/authorization-codes.js'
import { openAuthorizedApps } from './clients/authorized-apps.js'
import { openClientDocuments } from './clients/client-documents.js'
import { openClientLogos } from './clients/client-logos.js'
import { openClientSessions } from './sessions/client-sessions.js'
import { openClientSecrets } from './clients/client-secrets.js'
import { openClients } from './clients/clients.js'
import { withoutConsole } from './clients/without-console.js'
import { openConsents } from './grants/consents.js'
import { EXPIRING } from './expiring.js'
import { openDeviceCodes } from './grants/device-codes.js'
import { openGrants } from './grants/grants.js'
import { openCounters } from './operation/counters.js'
import { openImplicitUses } from './operation/implicit-uses.js'
import { openOverview } from './operation/overview.js'
import { openProfiles } from './users/profiles.js'
import { openPushedRequests } from './grants/pushed-requests.js'
import { openRefreshTokens } from './grants/refresh-tokens.js'
import { openRegistrationTokens } from './clients/registration-tokens.js'
import { openRegistrations } from './clients/registrations.js'
import { administer, type Administrator } from './access/administrators.js'
import { openRevocations } from './access/revocations.js'
import { openRoles } from './access/roles.js'
import { openConsoleSessions } from './sessions/console-sessions.js'
import { openSessionList } from './sessions/session-list.js'
import { openSessions } from './sessions/sessions.js'
import { openIdTokenKeys, openSigningKeys } from './operation/signing-keys.js'
import { openSpentIds } from './operation/spent-ids.js'
import { openThrottles } from './operation/throttles.js'
import { openDirectory } from './users/directory.js'
import { openFactors } from './users/factors.js'
import { openTakeovers } from './users/takeovers.js'
import { openTrustedBrowsers } from './users/trusted-browsers.js'
import { openUpstreamIdentities } from './users/upstream-identities.js'
import { openUsers } from './users/users.js'
import { openSignUpCodes } from './users/sign-up-codes.js'
import { openSignUps } from './users/sign-ups.js'

export type Clock = Omit<DatabaseClock, 'stop'>

/** All data of auth-server. */
export type Stores = Awaited<ReturnType<typeof openMigrated>>

/** The settings, and options of SQLite for tests. */
type Options = Config['database'] & Pick<ConnectOptions, 'clock' | 'synchronous'>

/** Length of a lease, in seconds: the work runs every five minutes, and its holder can be late once. */
const LEASE_S = 7.5 * 60

export const MIGRATIONS = new URL('../../migrations/', import.meta.url)
export const NAME = { applicationName: 'frontdesk-auth' }

/** Inspects the database read-only. @throws if it cannot be reached or read */
export async function inspectDatabase (url: string, options: Config['database']) {
  return await inspect(url, MIGRATIONS, { ...options, ...NAME })
}

/**
 * Migrates and opens the database.
 * @param url `file:/absolute/path` or `postgresql://…`
 * @param options default: those without settings
 * @returns the stores, and whether the database is new
 * @throws if it cannot be reached or migrated
 */
export async function openStores (
  url: string,
  options: Options = loadDatabase({}).database
): Promise<Stores & { readonly isNew: boolean }> {
  const isNew = await migrate(url, MIGRATIONS, { ...options, ...NAME })
  return { ...await openMigrated(url, options), isNew }
}

/** Opens a database whose schema is up to date. @throws if it cannot be reached */
export async function openMigrated (url: string, options: Options) {
  const connection = await connect(url, { ...options, ...NAME })
  const { stop, ...clock }: DatabaseClock = await openClock(connection, { ...TICKS, ...(options.clock && { machine: options.clock }) })
  return {
    ...openManaged(connection),
    clientLogos: openClientLogos(connection),
    clientDocuments: openClientDocuments(connection),
    registrations: openRegistrations(connection),
    spentIds: openSpentIds(connection),
    pushedRequests: openPushedRequests(connection),
    sessions: openSessions(connection),
    trustedBrowsers: openTrustedBrowsers(connection),
    takeovers: openTakeovers(connection),
    signUps: openSignUps(connection),
    consoleSessions: openConsoleSessions(connection),
    clientSessions: openClientSessions(connection),
    grants: openGrants(connection),
    consents: openConsents(connection),
    codes: openAuthorizationCodes(connection),
    deviceCodes: openDeviceCodes(connection),
    refreshTokens: openRefreshTokens(connection),
    revocations: openRevocations(connection),
    directory: openDirectory(connection),
    throttles: openThrottles(connection, clock),
    /** Leases for periodic work: see {@link leases}. */
    leases: { take: leases(connection, { seconds: LEASE_S, takenAt: false }) },
    audit: openAudit(connection),
    auditSeals: openAuditSeals(connection),
    adminRequests: openAdminRequests(connection),
    implicitUses: openImplicitUses(connection),
    overview: openOverview(connection),
    clock,
    /**
     * The stores for one action: each change and its audit rows are one transaction. Records nothing if the change returns `false`
     * or `null`.
     * @param by who makes the change, if not a shell: see {@link administer}
     * @param request the change happens once for it: see {@link claiming}
     * @param rows called with the result of the change
     */
    recorded (rows: (done: unknown) => readonly NewAuditRow[], by?: Administrator, request?: AdminRequest) {
      const recorded = recording(request === undefined ? connection : claiming(connection, request), rows)
      const administered = administer(recorded, by)
      const managed = openManaged(administered)
      return {
        ...managed,
        clients: withoutConsole(managed.clients),
        /** Changes nothing: records an action that is no change of these stores. */
        confirm: () => administered.transact(function * () { return true })
      }
    },
    /** Removes the rows that expired by a time, in small statements. Returns how many. */
    removeExpired: (table: keyof typeof EXPIRING, until: Date, onBatch?: (rows: number) => void) =>
      removeExpired(connection, EXPIRING[table], until, onBatch),
    /** Health check: `ok`, or why writes are lost. @throws if the database does not respond */
    async ping () {
      await query(connection, { id: 'string' }, sql`SELECT id FROM client LIMIT 1`)
      return connection.whyLost() ?? 'ok'
    },
    /** Age of the oldest query in the queue for the database, in milliseconds. */
    queueAge,
    pool: connection.pool,
    async close () {
      stop()
      await connection.close()
    }
  }
}

/** The stores that operators and users change by actions, each with its audit rows in one transaction if the connection records. */
function openManaged (connection: Connection) {
  return {
    clients: openClients(connection),
    clientSecrets: openClientSecrets(connection),
    registrationTokens: openRegistrationTokens(connection),
    users: openUsers(connection),
    signUpCodes: openSignUpCodes(connection),
    profiles: openProfiles(connection),
    roles: openRoles(connection),
    factors: openFactors(connection),
    upstreamIdentities: openUpstreamIdentities(connection),
    sessions: openSessionList(connection),
    counters: openCounters(connection),
    authorizedApps: openAuthorizedApps(connection),
    signingKeys: openSigningKeys(connection),
    idTokenKeys: openIdTokenKeys(connection)
  }
}
