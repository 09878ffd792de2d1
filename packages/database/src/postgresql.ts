import pg from 'pg'
import type { Mode } from './batch.js'
import { retryConflicts } from './conflict.js'
import type { Connection } from './connection.js'
import type { ConnectOptions, Migrator } from './dialect.js'
import { isStale, retryStale } from './stale-statement.js'
import { nameStatements } from './statement-names.js'
import { UnknownOutcomeError, runAsync, type Query, type Steps } from './steps.js'
import { explainTls, tlsOptions } from './tls.js'
import { waits } from './waits.js'

/** Time after the statement timeout for the server to cancel the statement. */
const CANCEL_GRACE_MS = 250

/** Preparing the statements of a new connection takes about 20 ms. */
const IDLE_TIMEOUT_MS = 10 * 60_000

/** Firewalls can drop connections that are idle for some minutes. */
const KEEP_ALIVE_MS = 60_000

/** Timeout of the first connections, for which no request waits. */
const FIRST_CONNECT_TIMEOUT_MS = 5_000

/** The lock of Prisma's migrator. */
const ADVISORY_LOCK = 72707369

/** PostgreSQL ends a transaction that is idle for 5 s, so that a stopped process does not hold its locks. */
const BEGIN = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 5000'

/** Begins a transaction. If others wait for it, it waits only a short time for a locked row. */
function begin ({ isShared, hasWaited = false }: Mode): string {
  return isShared ? `${BEGIN}; SET LOCAL lock_timeout = ${hasWaited ? 25 : 250}` : BEGIN
}

/** Returns times as text: pg would parse them as local time. */
const TEXT_TIMES: pg.CustomTypesConfig = {
  // as: pg's types do not allow a parser for any type.
  getTypeParser: ((oid: number, format: 'text') =>
    oid === pg.types.builtins.TIMESTAMP ? String : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
}

/** Errors of PostgreSQL, and sentences for the operator. */
const SENTENCES: Array<[said: RegExp, sentence: string]> = [
  [/unsupported startup parameter: statement_timeout/, 'The proxy in front of PostgreSQL does not accept statement_timeout. With PgBouncer, set ignore_startup_parameters = statement_timeout.'],
  [/in a read-only transaction/, 'PostgreSQL is read-only: it is a standby, or configured so. Set DATABASE_URL to the primary.']
]

/** Connects to `postgresql://…`. @throws if the CA file is invalid, or the connection that detects a proxy fails */
export async function connect (url: string, options: ConnectOptions): Promise<Connection> {
  const { pool, toQuery } = await openPool(url, options)
  return {
    dialect: 'postgresql',
    run: query => retryConflicts(() => retryStale(pool, async () => (await pool.query(toQuery(query))).rows), waits.statementConflicts),
    transact: (steps, mode = { isShared: false }) =>
      retryConflicts(() => retryStale(pool, () => transact(pool, toQuery, steps(), mode)), waits.transactionConflicts),
    concurrency: 2,
    whyLost: () => undefined,
    pool: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close () { if (!pool.ending) await pool.end() }
  }
}

/** Opens a pool of connections. @throws if the CA file is invalid, or the connection that detects a proxy fails */
export async function openPool (url: string, options: ConnectOptions, firstTimeout = FIRST_CONNECT_TIMEOUT_MS) {
  const { poolSize: max, connectTimeout: connectionTimeoutMillis, statementTimeout } = options
  const { preparedStatements } = options
  const named = preparedStatements === 'on' || (preparedStatements === 'auto' && !await isBehindProxy(url, options, firstTimeout))
  const pool = new pg.Pool({
    ...clientConfig(url, options),
    max,
    connectionTimeoutMillis,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: statementTimeout + CANCEL_GRACE_MS,
    ...named ? { onConnect: planOnce } : {}
  })
  // The pool replaces lost idle connections.
  pool.on('error', () => {})
  // A lost connection fails the next statement of a transaction. It can be lost before `pool.connect()` returns it.
  pool.on('connect', client => client.on('error', () => {}))
  const nameOf = named ? nameStatements() : undefined
  return {
    pool,
    /** Converts a statement for the driver. A name keeps it prepared. */
    toQuery: ({ sql, args }: Query) => ({ ...nameOf && { name: nameOf({ sql }) }, ...toConfig({ sql, args }) })
  }
}

/**
 * Plans of a connection: each prepared statement is planned once, since that takes longer than to execute it. Tables may grow by
 * thousands of rows before PostgreSQL has statistics of them: so the plan finds rows by an index, one after the other, even if a
 * table is empty while it is made. Without JIT, which compiles plans that have no index to use.
 */
const PLANS = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off'

async function planOnce (client: pg.ClientBase) {
  await client.query(PLANS)
}

async function transact<R> (pool: pg.Pool, toQuery: (query: Query) => pg.QueryArrayConfig, steps: Steps<R>, mode: Mode): Promise<R> {
  const client = await pool.connect()
  // While a statement runs, and if it failed.
  let isLost = true
  const send = async (query: string | pg.QueryArrayConfig) => {
    isLost = true
    const result = await client.query(query)
    isLost = false
    return result
  }
  try {
    await send(begin(mode))
    const result = await runAsync(steps, async query => (await send(toQuery(query))).rows)
    await send('COMMIT').catch(cause => { throw new UnknownOutcomeError('The connection failed during COMMIT.', { cause }) })
    return result
  } catch (error) {
    // The connection still works if the steps themselves threw the error, or PostgreSQL sent it.
    const works = !isLost || (error instanceof pg.DatabaseError && !isStale(error))
    if (works) isLost = await client.query('ROLLBACK').then(() => false, () => true)
    throw error
  } finally {
    // Closes a connection that may still be in the transaction, which rolls it back.
    client.release(isLost)
  }
}

function toConfig ({ sql: text, args }: Query): pg.QueryArrayConfig {
  return { text, values: args.map(toPostgresql), rowMode: 'array', types: TEXT_TIMES }
}

/** Writes times, even in lists, in UTC instead of the process's time zone. */
function toPostgresql (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPostgresql)
  return value instanceof Date ? value.toISOString() : value
}

/**
 * Whether a connection pooler is in front of PostgreSQL: it may use another connection for each transaction, without our prepared
 * statements. The process id that it reports differs from that of PostgreSQL's backend.
 */
async function isBehindProxy (url: string, options: ConnectOptions, timeout: number): Promise<boolean> {
  const client = await openClient(url, options, timeout)
  try {
    const { rows: [{ pid }] } = await client.query('SELECT pg_backend_pid() AS pid')
    // as: the driver's types lack it.
    return pid !== (client as pg.Client & { processID: number | null }).processID
  } finally {
    await client.end()
  }
}

async function openClient (url: string, options: ConnectOptions, timeout = FIRST_CONNECT_TIMEOUT_MS): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(url, options), connectionTimeoutMillis: timeout })
  // A lost connection fails the running statement.
  client.on('error', () => {})
  await client.connect().catch(error => { throw explain(error) })
  return client
}

/** Options of every connection. */
export function clientConfig (url: string, options: ConnectOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: options.applicationName,
    ssl: tlsOptions(url, options),
    statement_timeout: options.statementTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS
  }
}

/** Opens a single connection for migrations and copies. @throws an error with a sentence for the operator */
export async function openMigrator (url: string, options: ConnectOptions): Promise<Migrator> {
  const client = await openClient(url, options)
  await assertUtf8(client)
  return {
    dialect: 'postgresql',
    exec: sql => client.query(sql).catch(error => { throw explain(error) }),
    query: async (sql, values) => (await client.query(sql, values)).rows,
    close: () => client.end(),
    // The lock ends with the transaction, which even a pooler keeps on one connection.
    begin: `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`,
    snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
    references: "SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint WHERE contype = 'f'",
    types: { time: 'TIMESTAMPTZ', key: 'VARCHAR(36)' }
  }
}

/** Other encodings lack characters of names. */
async function assertUtf8 (client: pg.Client) {
  const { rows: [{ server_encoding: encoding }] } = await client.query('SHOW server_encoding')
  if (encoding === 'UTF8') return
  await client.end()
  throw new Error(`The database has the encoding ${encoding}. Create one with UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0), and set DATABASE_URL to it.`)
}

function explain (cause: unknown): unknown {
  const sentence = SENTENCES.find(([said]) => said.test(String(cause)))?.[1] ?? explainTls(cause)
  return sentence === undefined ? cause : new Error(sentence, { cause })
}
