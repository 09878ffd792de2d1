import type { Config } from '../config.js'
import { inspect } from '@frontdesk/database/inspect'

/** Where the committed migrations are. */
export const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** Looks at the database without a change to it, and without Prisma. @throws if it cannot be reached or read */
export async function inspectDatabase ({ databaseUrl, database }: Pick<Config, 'databaseUrl' | 'database'>) {
  return await inspect(databaseUrl, MIGRATIONS, { ...database, applicationName: 'customer-service' })
}
