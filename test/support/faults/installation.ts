import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Ledger } from '../replicas/ledger.js'
import { freePort, programs, Stack } from '../stack.js'

/** Who undoes what was done, last first: a test, or `npm run faults`. */
export interface Cleaner { teardown (undo: () => unknown): unknown }

/** Runs a command, and undoes what it did. Its exit code is 1 unless all was right. */
export async function runAndCleanUp (run: (cleaner: Cleaner) => Promise<boolean>): Promise<void> {
  const undo: Array<() => unknown> = []
  try {
    process.exitCode = await run({ teardown: work => undo.push(work) }) ? 0 : 1
  } finally {
    for (const work of undo.reverse()) await work()
  }
}

/** The services that have a database. */
export const SERVICES = ['auth-server', 'customer-service'] as const

/** Where each service has its database. */
export type Databases = Record<typeof SERVICES[number], string>

/** One of each service, each on its database. @param env added to the settings of both */
export async function install (t: Cleaner, databases: Databases, env: Record<string, string> = {}): Promise<Stack> {
  const [AUTH_PORT, CUSTOMER_PORT, DESK_PORT] = [await freePort(), await freePort(), await freePort()]
  const list = programs({ AUTH_PORT, CUSTOMER_PORT, DESK_PORT, DATA_DIR: '' }).filter(({ name }) => name in databases)
  // as: the others were left out.
  for (const program of list) program.env.DATABASE_URL = databases[program.name as typeof SERVICES[number]]
  // The callback is never called.
  const stack = new Stack([...list, { name: 'desk', file: '', address: `http://localhost:${DESK_PORT}`, ready: '', env: {} }], '', {
    LOG_LEVEL: 'error', ...env
  })
  t.teardown(() => stack.stop())
  await Promise.all(SERVICES.map(name => stack.start(name)))
  return stack
}

/** New databases in files of a folder; by default a new folder. */
export async function files (t: Cleaner, folder?: string): Promise<Databases> {
  const place = folder ?? await mkdtemp(join(tmpdir(), 'frontdesk-faults-'))
  if (folder === undefined) t.teardown(() => rm(place, { recursive: true, force: true }))
  return { 'auth-server': `file:${join(place, 'auth.db')}`, 'customer-service': `file:${join(place, 'customers.db')}` }
}

/**
 * New databases on a PostgreSQL server, of a user who may do no more than work in them.
 * @param storage what CREATE DATABASE shall end with
 */
export async function databasesOn (server: string, storage = ''): Promise<Databases> {
  await run(
    server,
    "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'frontdesk') THEN CREATE ROLE frontdesk LOGIN; END IF; END $$"
  )
  const suffix = Math.random().toString(36).slice(2)
  const urls = await Promise.all(SERVICES.map(async name => {
    const url = new URL(`/${name.replace('-', '_')}_${suffix}`, server)
    await run(server, `CREATE DATABASE ${url.pathname.slice(1)} OWNER frontdesk ${storage}`)
    url.username = 'frontdesk'
    return url.href
  }))
  return { 'auth-server': urls[0]!, 'customer-service': urls[1]! }
}

/** The same databases by way of a port. */
export function through (databases: Databases, port: number): Databases {
  const lead = (url: string) => Object.assign(new URL(url), { port: `${port}` }).href
  return { 'auth-server': lead(databases['auth-server']), 'customer-service': lead(databases['customer-service']) }
}

/** Runs a statement. Gives its rows. */
export async function run (url: string, sql: string): Promise<Array<Record<string, unknown>>> {
  if (url.startsWith('file:')) {
    const database = new Sqlite(url.slice('file:'.length), { readonly: true, timeout: 5_000 })
    // as: rows are objects; what is in them the caller knows.
    try { return database.prepare(sql).all() as Array<Record<string, unknown>> } finally { database.close() }
  }
  const client = new pg.Client(url)
  await client.connect()
  try { return (await client.query(sql)).rows } finally { await client.end() }
}

/** What was acknowledged and is not there: customers that are not as they were answered for, tokens without a grant. */
export async function lostFrom (databases: Databases, ledger: Ledger, tokens: readonly string[]): Promise<string[]> {
  const customers = new Map(
    (await run(databases['customer-service'], 'SELECT id, address FROM customer')).map(({ id, address }) => [Number(id), address])
  )
  const grants = new Set((await run(databases['auth-server'], 'SELECT id FROM access_grant')).map(({ id }) => id))
  return [
    ...ledger.certain.filter(([id, is]) => (customers.get(id) ?? null) !== is)
      .map(([id, is]) => `customer ${id}: ${is} was acknowledged, ${customers.get(id)} found`),
    ...tokens.map(idOf).filter(id => !grants.has(id)).map(id => `token ${id}: no grant`)
  ]
}

/** `jti` of a token. */
function idOf (token: string): string {
  // as: auth-server's tokens have it.
  return (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }).jti
}
