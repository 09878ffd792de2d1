import type { Connection } from '@frontdesk/database/connection'
import { openPrisma } from '@frontdesk/database/prisma'
import type { PrismaClient } from '../generated/sqlite/client.js'

/** Prisma's client, as the stores see it: typed for SQLite, the poorer of the two dialects. */
export type Database = () => Promise<PrismaClient>

/** Loads the client of the connection's dialect on demand. */
export function openDatabase (connection: Connection): Database {
  return openPrisma<PrismaClient>(connection, {
    sqlite: () => import('../generated/sqlite/client.js'),
    postgresql: () => import('../generated/postgresql/client.js')
  })
}
