import Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import type { Connection } from './connection.js'
import type { ConnectOptions, Migrator } from './dialect.js'
import { ensureFolder } from './folder.js'
import { groupCommits } from './group-commit.js'
import { lockQueue } from './lock-queue.js'
import { runSync } from './steps.js'

/** How long the driver waits for a lock, which blocks the thread. Then the lock queue waits without blocking. */
const LOCK_TIMEOUT_MS = 5

/** The same while opening a connection: another process that opens or closes the file may lock all of it. */
const OPEN_TIMEOUT_MS = 10_000

/**
 * Settings of every connection. secure_delete overwrites removed values, even on freed pages, unlike FAST. temp_store keeps the
 * copies of pages in memory that SQLite makes to undo a single statement of a transaction.
 */
export const PRAGMAS =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY'

/** Maximum cached prepared statements: callers decide the length of some lists, and so the number of SQL texts. */
const MAX_STATEMENTS = 500

/** Connects to `file:/absolute/path`. Creates the file and, if allowed, its folder. */
export async function connect (url: string, options: ConnectOptions): Promise<Connection> {
  const { synchronous = 'FULL', statementTimeout, clock } = options
  const path = url.slice('file:'.length)
  createFile(path, options)
  const db = new Sqlite(path, { timeout: OPEN_TIMEOUT_MS })
  db.exec(`${PRAGMAS}; PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  if (clock !== undefined) setClock(db, clock)
  const prepare = preparer(db)
  const inTurn = lockQueue(statementTimeout)
  const change = groupCommits(db, work => inTurn(work, false))
  return {
    dialect: 'sqlite',
    async run ({ sql, args }) {
      const statement = prepare(sql)
      const work = () => execute(statement, args)
      return await (statement.readonly ? inTurn(work, true) : change(work, { isStatement: true }))
    },
    transact: steps => change(() => runSync(steps(), ({ sql, args }) => execute(prepare(sql), args)), { isStatement: false }),
    concurrency: 1,
    whyLost: watchFile(path),
    pool: () => null,
    async close () {
      if (!db.open) return
      // SQLite does this only when the last process closes the file.
      try {
        db.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        db.close()
      }
    }
  }
}

/** Creates the file if it is missing, and its folder if allowed. Only this user can read it: it has password hashes or customers. */
function createFile (path: string, { createsFolder }: Pick<ConnectOptions, 'createsFolder'>) {
  ensureFolder(path, createsFolder)
  if (readMode(path) === undefined) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = readMode(file)
    if (mode !== undefined && (mode & 0o077) !== 0) restrict(file)
  }
}

/** Makes a file, which may be a copy, readable by this user only. */
function restrict (file: string) {
  try {
    chmodSync(file, 0o600)
  } catch {
    console.error(`Other users can read ${file}, and this user cannot change that. Run chmod 600 as its owner.`)
  }
}

function readMode (file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode
}

/** Replaces a connection's `strftime(format, time, modifier)`, with a clock for `'now'`. */
function setClock (db: Sqlite.Database, clock: () => number) {
  const builtIn = new Sqlite(':memory:').prepare('SELECT strftime(?, ?, ?)').pluck()
  db.function('strftime', (format, time, modifier) =>
    builtIn.get(format, time === 'now' ? new Date(clock()).toISOString() : time, modifier))
}

/** Prepares statements, with an LRU cache. Those with rows return them as arrays. */
function preparer (db: Sqlite.Database): (sql: string) => Sqlite.Statement {
  const statements = new LRUCache<string, Sqlite.Statement>({ max: MAX_STATEMENTS })
  return sql => {
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    const statement = db.prepare(sql)
    if (statement.reader) statement.raw()
    statements.set(sql, statement)
    return statement
  }
}

function execute (statement: Sqlite.Statement, args: readonly unknown[]): unknown[][] {
  const values = args.map(toSqlite)
  // as: `raw` returns rows as arrays.
  return statement.reader ? statement.all(values) as unknown[][] : (statement.run(values), [])
}

/** Writes times and booleans as Prisma's client does. */
function toSqlite (value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value
}

/** Opens a single connection for migrations and copies. */
export function openMigrator (url: string, options: Pick<ConnectOptions, 'createsFolder'>): Migrator {
  const path = url.slice('file:'.length)
  createFile(path, options)
  const db = new Sqlite(path, { timeout: OPEN_TIMEOUT_MS })
  return {
    dialect: 'sqlite',
    exec: sql => db.exec(sql),
    async query (sql, values) {
      const statement = db.prepare(sql.replace(/\$\d/g, '?'))
      // as: better-sqlite3 returns rows as objects of unknown shape.
      return statement.reader ? statement.all(...values) as Array<Record<string, unknown>> : (statement.run(...values), [])
    },
    close: () => db.close(),
    begin: 'PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE',
    snapshot: 'BEGIN',
    // Foreign keys are off.
    references: 'SELECT NULL AS child, NULL AS parent WHERE 1 = 0',
    types: { time: 'DATETIME', key: 'TEXT' }
  }
}

/** Watches the path of an open file. Returns a function that explains why writes are lost: the file was removed, moved or replaced. */
export function watchFile (path: string): () => string | undefined {
  const opened = fileId(path)
  return () => {
    const now = fileId(path)
    if (now === undefined) return 'the file was removed or moved while it was open'
    return now === opened ? undefined : 'the file was replaced while it was open'
  }
}

/** Identifies a file on this machine by device and inode. */
function fileId (path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
