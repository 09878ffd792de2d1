import { queueAge } from '@frontdesk/database/batch'
import { openClock } from '@frontdesk/database/clock'
import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import type { ConnectOptions } from '@frontdesk/database/dialect'
import { removeExpired } from '@frontdesk/database/expired'
import { migrate } from '@frontdesk/database/migrate'
import { leases } from '@frontdesk/database/leases'
import { query, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import type { Config } from '../config.js'
import { customer } from '../generated/tables.js'
import { openChanges } from './changes/changes.js'
import { openFeed } from './changes/feed.js'
import { EXPIRING } from './expiring.js'
import { openHistory } from './changes/history.js'
import { openRemoved } from './changes/removed.js'
import { Recording } from './changes/recording.js'
import { openCustomers } from './customers/customers.js'
import { openDuplicates } from './duplicates/duplicates.js'
import { openIdempotency } from './idempotency/idempotency.js'
import { openImports } from './imports/imports.js'
import { openBulk } from './operations/bulk.js'
import { openOperations } from './operations/operations.js'
import { openTargets } from './operations/targets.js'
import { openUndo } from './operations/undo.js'
import { APPLICATION, MIGRATIONS } from './maintain.js'
import { openProofs } from './proofs.js'
import { openRateLimiter } from './rate-limiter.js'
import { Backfill } from './search/backfill.js'
import { Engine } from './search/engine.js'
import type { Lists } from './search/query.js'
import { openStandbySearch, Search } from './search/search.js'
import { openWebhooks } from './webhooks/webhooks.js'
import { standbyAsked } from '../telemetry/events.js'

/** Lifetime of a lease for a job that runs every five minutes: the holder can be late once. */
const LEASE_SECONDS = 7.5 * 60

type Settings = Pick<Config, 'databaseUrl' | 'readUrl' | 'database' | 'synchronous' | 'retention' | 'rateLimit'>

export type Stores = Awaited<ReturnType<typeof openDatabase>>['stores']

/** Migrates the database, connects to it and runs a first query. @throws if the database cannot be opened or migrated */
export async function openDatabase ({ databaseUrl: url, readUrl, database: settings, synchronous, retention, rateLimit }: Settings) {
  const options = { ...settings, ...APPLICATION, synchronous }
  const isNew = await migrate(url, MIGRATIONS, options)
  const connection = await connect(url, options)
  const clock = await openClock(connection)
  const recording = new Recording(connection, retention)
  const backfill = new Backfill(connection)
  const ping = () => pingThrough(connection)
  await ping()
  const engine = Engine.on(connection)
  const standby = readUrl === null ? undefined : await openStandby(readUrl, connection, options)
  const search: Lists = standby === undefined ? new Search(engine, backfill.catchUp) : openStandbySearch(standby, engine, backfill.catchUp)
  const stores = {
    customers: openCustomers(connection, clock, recording),
    changes: openChanges(connection, retention),
    duplicates: openDuplicates(connection, clock, backfill.catchUp),
    feed: await openFeed(connection, retention),
    history: openHistory(connection, clock, retention),
    listRemoved: openRemoved(connection),
    idempotency: openIdempotency(connection, clock, recording),
    imports: openImports(connection, clock, recording),
    operations: openOperations(connection),
    bulk: openBulk(connection, clock, recording),
    undo: { ...openTargets(connection, clock), ...openUndo({ connection, clock, recording }, retention) },
    proofs: openProofs(connection, clock),
    /** `null`: no rate limit. */
    rateLimiter: rateLimit === null ? null : openRateLimiter(connection, clock, rateLimit),
    search,
    webhooks: openWebhooks(connection, clock),
    backfill,
    /** Removes a table's rows that expired by a time, in small statements. Returns their number. */
    removeExpired: (table: keyof typeof EXPIRING, until: Date) => removeExpired(connection, EXPIRING[table], until),
    /** A time that has certainly passed; `null`: no time is certain. */
    settled: () => clock.settled(),
    /** Acquires or renews the lease of a job. Atomic: one caller holds it while it renews it. */
    takeLease: leases(connection, { seconds: LEASE_SECONDS, takenAt: true }),
    /** Resolves when the database responds: to `ok`, or to why writes to it are lost. */
    ping
  }
  return {
    stores,
    /** Whether the database was empty or did not exist. */
    isNew,
    connection,
    queueAge,
    pool: connection.pool,
    /** The time of the database's clock. */
    now: () => clock.now(),
    /** Seconds that the database's clock is ahead of this machine's; `null` with SQLite. */
    ahead: () => clock.ahead(),
    async close () {
      clock.stop()
      await standby?.close()
      await connection.close()
    }
  }
}

async function pingThrough (connection: Connection): Promise<string> {
  await query(connection, pick(customer, 'id'), sql`SELECT id FROM customer LIMIT 1`)
  return connection.whyLost() ?? 'ok'
}

async function openStandby (url: string, primary: Connection, options: ConnectOptions) {
  const { Standby } = await import('@frontdesk/database/standby')
  return new Standby(url, primary, { ...options, onRead: (outcome, error) => { standbyAsked.publish({ outcome, error }) } })
}
