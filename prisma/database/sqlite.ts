import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import Sqlite from 'better-sqlite3'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ConnectOptions, Migrator } from './dialect.js'
import { fence } from './fence.js'

/** Prisma's driver for `file:/absolute/path`; makes the folder. */
export function connect (url: string, options: ConnectOptions): SqlDriverAdapterFactory {
  return new Factory(url, options)
}

class Factory extends PrismaBetterSqlite3 {
  readonly #pragmas: string
  readonly #patience: number

  constructor (url: string, { synchronous = 'FULL', statementTimeout }: ConnectOptions) {
    mkdirSync(dirname(url.slice('file:'.length)), { recursive: true })
    // The driver waits for a lock by blocking the thread; fence() waits without.
    super({ url, timeout: 5 })
    this.#pragmas = `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`
    this.#patience = statementTimeout
  }

  override async connect (): Promise<SqlDriverAdapter> {
    const adapter = await super.connect()
    await adapter.executeScript(this.#pragmas)
    return fence(adapter, this.#patience)
  }
}

/** Opens the one connection that migrates or copies. */
export function openMigrator (url: string): Migrator {
  const path = url.slice('file:'.length)
  mkdirSync(dirname(path), { recursive: true })
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
