import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { DriverAdapterError, type SqlQuery } from '@prisma/driver-adapter-utils'
import Sqlite from 'better-sqlite3'
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { keep, once, type Connection } from './connection.js'
import type { ConnectOptions, Migrator } from './dialect.js'
import { fence, isSelect } from './fence.js'
import { watchFile } from './moved.js'
import { runSync } from './steps.js'

/** How long a driver waits for a lock, in milliseconds: it blocks the thread; fence() waits on without. */
const LOCK_TIMEOUT = 5

/** Connects to `file:/absolute/path`; makes the folder. */
export async function connect (url: string, { synchronous = 'FULL', statementTimeout }: ConnectOptions): Promise<Connection> {
  const path = url.slice('file:'.length)
  makeFile(path)
  const pragmas = `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`
  const adapter = new PrismaBetterSqlite3({ url, timeout: LOCK_TIMEOUT })
  const prisma = await adapter.connect()
  await prisma.executeScript(pragmas)
  const own = new Sqlite(path, { timeout: LOCK_TIMEOUT })
  own.exec(pragmas)
  const { driver, statement } = fence(prisma, statementTimeout)
  const runOwn = prepared(own)
  const close = once(async () => {
    // The last connection that closes does it too; where another process has the file open, none of ours is the last.
    try {
      own.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      own.close()
      await driver.dispose()
    }
  })
  return {
    adapter: keep(adapter, { ...driver, dispose: close }),
    run: query => statement(async () => runOwn(query), isSelect(query.sql)),
    transact: steps => statement(async () => asDriver(() => own.transaction(() => runSync(steps(), runOwn)).immediate())),
    concurrency: 1,
    whyLost: watchFile(path),
    close
  }
}

/** Makes the file and its folder if they are not there. It holds hashes of passwords, or customers: only this user may read it. */
function makeFile (path: string) {
  mkdirSync(dirname(path), { recursive: true })
  if (modeOf(path) === undefined) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = modeOf(file)
    if (mode !== undefined && (mode & 0o077) !== 0) restrict(file)
  }
}

/** Makes a file, written by an older version or copied here, readable by this user only. */
function restrict (file: string) {
  try {
    chmodSync(file, 0o600)
  } catch {
    console.error(`Others may read ${file}, and it is not this user's to change. Run chmod 600 as its owner.`)
  }
}

function modeOf (file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode
}

/** Runs statements, each of which is prepared once. */
function prepared (db: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement>()
  return ({ sql, args }: SqlQuery): unknown[][] => asDriver(() => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    const values = args.map(toSqlite)
    // as: `raw` gives rows as arrays.
    return statement.reader ? statement.raw().all(values) as unknown[][] : (statement.run(values), [])
  })
}

/** Reports a lock of another process as Prisma's driver does. */
function asDriver<T> (work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY' ? new DriverAdapterError({ kind: 'SocketTimeout' }) : error
  }
}

/** As Prisma's driver writes it. */
function toSqlite (value: unknown): unknown {
  return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value
}

/** Opens the one connection that migrates or copies. */
export function openMigrator (url: string): Migrator {
  const path = url.slice('file:'.length)
  makeFile(path)
  const db = new Sqlite(path, { timeout: 10_000 })
  return {
    dialect: 'sqlite',
    exec: sql => db.exec(sql),
    async query (sql, values) {
      const statement = db.prepare(sql.replace(/\$\d/g, '?'))
      // as: better-sqlite3 gives rows as objects, whose shape it cannot know.
      return statement.reader ? statement.all(...values) as Array<Record<string, unknown>> : (statement.run(...values), [])
    },
    close: () => db.close(),
    begin: 'PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE',
    snapshot: 'BEGIN',
    // They are off.
    references: 'SELECT NULL AS child, NULL AS parent WHERE 1 = 0',
    types: { time: 'DATETIME', key: 'TEXT' }
  }
}
