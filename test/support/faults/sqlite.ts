import { execFileSync } from 'node:child_process'
import Sqlite from 'better-sqlite3'
import type { Stack } from '../stack.js'
import { SERVICES, type Databases } from './installation.js'
import { AWAY, type Fault } from './workload.js'

/** What happens to databases in files. */
export function faultsOfFiles (stack: Stack, databases: Databases, lasts: number): Fault[] {
  const locks: Sqlite.Database[] = []
  return [{
    name: 'SQLite locked by another process',
    lasts,
    begin: () => {
      for (const name of SERVICES) {
        const database = new Sqlite(databases[name].slice('file:'.length), { timeout: 5_000 })
        database.exec('BEGIN IMMEDIATE')
        locks.push(database)
      }
    },
    end: () => { for (const database of locks.splice(0)) database.close() },
    allowed: AWAY,
    untilFelt: true
  }, {
    name: 'SQLite without room for another byte',
    lasts,
    begin: () => { limitFiles(stack, '0') },
    end: () => { limitFiles(stack, 'unlimited') },
    allowed: AWAY,
    untilFelt: true
  }]
}

/** What the services may write into any file, in bytes; it takes Linux. */
function limitFiles (stack: Stack, size: string): void {
  for (const name of SERVICES) execFileSync('prlimit', ['--pid', `${stack.pid(name)}`, `--fsize=${size}:unlimited`])
}
