import { copyDatabase, type Copied, type Progress } from '@frontdesk/database/copy'
import { inspect } from '@frontdesk/database/inspect'
import type { Config } from '../config.js'

/** Name of the service's connections in PostgreSQL. */
export const APPLICATION = { applicationName: 'customer-service' }

export const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** Inspects the database without changing it. @throws if it cannot be reached or read */
export async function inspectDatabase ({ databaseUrl, database }: Pick<Config, 'databaseUrl' | 'database'>) {
  return await inspect(databaseUrl, MIGRATIONS, { ...database, ...APPLICATION })
}

/** Copies all rows to another, empty database, atomically. @throws CopyRefusal with a sentence */
export async function copyRegister (from: string, to: string, options: Config['database'], progress: Progress): Promise<Copied> {
  return await copyDatabase({ from, to }, MIGRATIONS, { ...options, ...APPLICATION }, progress)
}
