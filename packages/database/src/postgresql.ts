import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { createHash } from 'node:crypto'
import pg from 'pg'
import { retryConflicts } from './conflict.js'
import { keep, once, type Connection } from './connection.js'
import type { ConnectOptions, Migrator } from './dialect.js'
import { UnknownOutcome, runAsync, type Steps } from './steps.js'
import { explainTls, tlsOptions } from './tls.js'

/** How much longer than the server we wait for it to give a statement up, in milliseconds. */
const GRACE = 250

/** How long a connection is kept for the next statement, in milliseconds: a new one costs PostgreSQL some 20 ms until it knows our statements. */
const IDLE = 10 * 60_000

/** After how long without anything to say a connection gives a sign of life, in milliseconds: what stands in between may cut silent ones after some minutes. */
const SIGN_OF_LIFE = 60_000

/** How long the first connections may take, in milliseconds: no request waits yet. */
const FIRST_CONNECT_TIMEOUT_MS = 5_000

/** For how long what conflicts with others is begun again, in milliseconds: a deadlock is found after a second, and then a batch is split. */
const CONFLICTS = { statement: 500, transaction: 1_250 }

/** The lock that Prisma's own migrator takes. */
const ADVISORY_LOCK = 72707369

/** Maximum named statements: without a bound, ever new statements would fill PostgreSQL's memory. */
const MAX_NAMES = 200

/** PostgreSQL ends a transaction that is idle for 5 s, so that a stopped process does not hold its locks. */
const BEGIN = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 5000'

/** Gives times as text, as Prisma's driver does: pg would take them for local time. */
const TEXT_TIMES: pg.CustomTypesConfig = {
  // as: pg's types know no parser that is chosen by a number.
  getTypeParser: ((oid: number, format: 'text') => oid === pg.types.builtins.TIMESTAMP ? String : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
}

/** What is refused, and what to do. */
const SENTENCES: Array<[said: RegExp, sentence: string]> = [
  [/unsupported startup parameter: statement_timeout/, 'The proxy before PostgreSQL does not take statement_timeout. With PgBouncer, set ignore_startup_parameters = statement_timeout.'],
  [/in a read-only transaction/, 'PostgreSQL can only be read: it is a standby, or set to read-only. Set DATABASE_URL to the primary.']
]

/** Prisma's driver for `postgresql://…`. @throws if the file of the CA cannot be used, or no connection be made to see what stands before the server */
export async function connect (url: string, options: ConnectOptions): Promise<Connection> {
  const { poolSize: max, connectTimeout: connectionTimeoutMillis, statementTimeout } = options
  const { preparedStatements, plansOnce = false } = options
  const named = preparedStatements === 'on' || (preparedStatements === 'auto' && !await isBehindProxy(url, options))
  const pool = new pg.Pool({
    ...clientConfig(url, options),
    max,
    connectionTimeoutMillis,
    idleTimeoutMillis: IDLE,
    query_timeout: statementTimeout + GRACE,
    ...named && plansOnce ? { onConnect: planOnce } : {}
  })
  options.onPool?.(pool)
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, ...named ? { statementNameGenerator: nameStatements() } : {} })
  const driver = await adapter.connect()
  const close = once(driver.dispose.bind(driver))
  driver.dispose = close
  retryStatements(driver)
  return {
    adapter: keep(adapter, driver),
    run: async query => (await driver.queryRaw(query)).rows,
    transact: steps => retryConflicts(() => transact(pool, steps()), CONFLICTS.transaction),
    concurrency: 2,
    whyLost: () => undefined,
    close
  }
}

/** Otherwise PostgreSQL plans again for each set of values, which costs more than it saves. */
async function planOnce (client: pg.ClientBase) {
  await client.query('SET plan_cache_mode = force_generic_plan')
}

/** Single statements are transactions of their own; Prisma's client runs those of a longer one elsewhere. */
function retryStatements (driver: SqlDriverAdapter) {
  const { queryRaw, executeRaw } = driver
  driver.queryRaw = query => retryConflicts(() => queryRaw.call(driver, query), CONFLICTS.statement)
  driver.executeRaw = query => retryConflicts(() => executeRaw.call(driver, query), CONFLICTS.statement)
}

async function transact<R> (pool: pg.Pool, steps: Steps<R>): Promise<R> {
  const client = await pool.connect()
  // A connection that is lost fails the statement that is under way.
  const ignore = () => {}
  client.on('error', ignore)
  let failure: unknown
  try {
    await client.query(BEGIN)
    const result = await runAsync(steps, async ({ sql: text, args }) => (await client.query({ text, values: args.map(toPostgresql), rowMode: 'array', types: TEXT_TIMES })).rows)
    await client.query('COMMIT').catch(cause => { throw new UnknownOutcome('The connection failed during COMMIT.', { cause }) })
    return result
  } catch (error) {
    failure = error
    throw error
  } finally {
    client.off('error', ignore)
    // A connection that may still be inside is closed, which undoes all.
    client.release(failure !== undefined)
  }
}

/** Times in UTC, whatever the zone of this process, also in lists. */
function toPostgresql (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPostgresql)
  return value instanceof Date ? value.toISOString() : value
}

/**
 * A proxy that pools connections lends us another one for each transaction, which may not know our statements. It is
 * known by its own process id, which it gives for that of PostgreSQL.
 */
async function isBehindProxy (url: string, options: ConnectOptions): Promise<boolean> {
  const client = await openClient(url, options)
  try {
    const { rows: [{ pid }] } = await client.query('SELECT pg_backend_pid() AS pid')
    // as: the driver's types lack it.
    return pid !== (client as pg.Client & { processID: number | null }).processID
  } finally {
    await client.end()
  }
}

async function openClient (url: string, options: ConnectOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(url, options), connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT_MS })
  // A connection that is lost fails the statement that is under way; between statements no caller is affected.
  client.on('error', () => {})
  await client.connect().catch(error => { throw explain(error) })
  return client
}

/** What every connection begins with. */
export function clientConfig (url: string, options: ConnectOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: options.applicationName,
    ssl: tlsOptions(url, options),
    statement_timeout: options.statementTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: SIGN_OF_LIFE
  }
}

/** The same name for the same statement, wherever it is prepared: a proxy may have another connection for us each time. */
function nameStatements () {
  const names = new Map<string, string>()
  return ({ sql }: { sql: string }): string => {
    const known = names.get(sql)
    if (known !== undefined) return known
    // Without a name it is prepared for once; the driver's type only knows names.
    if (names.size === MAX_NAMES) return ''
    const name = `frontdesk_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`
    names.set(sql, name)
    return name
  }
}

/** Opens the one connection that migrates or copies. @throws with a sentence if it is refused */
export async function openMigrator (url: string, options: ConnectOptions): Promise<Migrator> {
  const client = await openClient(url, options)
  await demandUtf8(client)
  return {
    dialect: 'postgresql',
    exec: sql => client.query(sql).catch(error => { throw explain(error) }),
    query: async (sql, values) => (await client.query(sql, values)).rows,
    close: () => client.end(),
    // All of a transaction goes over one connection, also through a proxy that pools them: so the lock must end with it.
    begin: `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`,
    snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
    references: "SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint WHERE contype = 'f'",
    types: { time: 'TIMESTAMPTZ', key: 'VARCHAR(36)' }
  }
}

/** Other encodings lack characters that names contain. */
async function demandUtf8 (client: pg.Client) {
  const { rows: [{ server_encoding: encoding }] } = await client.query('SHOW server_encoding')
  if (encoding === 'UTF8') return
  await client.end()
  throw new Error(`The database has the encoding ${encoding}. Make one with UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0), and set DATABASE_URL to it.`)
}

function explain (cause: unknown): unknown {
  const sentence = SENTENCES.find(([said]) => said.test(String(cause)))?.[1] ?? explainTls(cause)
  return sentence === undefined ? cause : new Error(sentence, { cause })
}
