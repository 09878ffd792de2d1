import { openPrisma } from '@frontdesk/database/prisma'
import type { Config } from '../config.js'
import type { PrismaClient } from '../generated/sqlite/client.js'
import { APPLICATION } from './maintain.js'

/** Opens Prisma's client, for commands only. Call `$disconnect` at the end. */
export async function openClient ({ databaseUrl, database }: Pick<Config, 'databaseUrl' | 'database'>): Promise<PrismaClient> {
  return await openPrisma<PrismaClient>(databaseUrl, { ...database, ...APPLICATION }, {
    sqlite: () => import('../generated/sqlite/client.js'),
    postgresql: () => import('../generated/postgresql/client.js')
  })
}
