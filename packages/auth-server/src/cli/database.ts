import { databaseName, whyNotOurs } from '@frontdesk/service-kit/doctor/database'
import { openError } from '@frontdesk/service-kit/doctor/database-error'
import { existsSync } from 'node:fs'
import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import { loadDatabase, type Config } from '../config.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/**
 * Reads the database settings from the environment, and names on standard error variables that resemble one: the
 * database may not be the intended one. @throws ConfigError if they are invalid
 */
export function readSettings (): Pick<Config, 'databaseUrl' | 'database'> {
  const { misspelled, ...settings } = loadDatabase()
  for (const it of misspelled) console.error(describeMisspelled(it))
  return settings
}

/** @throws CommandError if the database is a file that does not exist */
export function assertExists (url: string): void {
  const name = databaseName(url)
  if (!url.startsWith('file:') || existsSync(name)) return
  throw new CommandError(
    `There is no database ${name}. Set DATABASE_URL or DATA_DIR to the one you mean; auth-server and commands that add create it.`
  )
}

/** Checks the database read-only. @throws CommandError if it does not exist or its schema is not up to date */
export async function assertUpToDate (url: string, options: Config['database']): Promise<void> {
  assertExists(url)
  const { inspectDatabase } = await import('../stores/stores.js')
  const state = await inspectDatabase(url, options).catch(cause => { throw openError(url, cause) })
  const { applied, pending, readOnly } = state
  const name = databaseName(url)
  // A read-only file was not inspected: SQLite needs to write. A standby of PostgreSQL can be read.
  if (readOnly !== undefined && url.startsWith('file:')) throw new CommandError(`The database ${name} cannot be opened: ${readOnly}.`)
  const other = whyNotOurs(url, state)
  if (other !== null) throw new CommandError(`${other.sentence} ${other.remedy}`)
  if (applied.length === 0) throw new CommandError(`The database ${name} is empty. auth-server creates its tables when it starts.`)
  if (pending.length > 0) {
    throw new CommandError(
      `The schema of the database ${name} is older than this version. auth-server updates it when it starts; back up first.`
    )
  }
}
