import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'

const GENERATED = '../../../../../../packages/customer-service/dist/src/generated'

/** Prisma as its documentation opens it; the client is the one that was generated from the models of customer-service. */
export async function openPrisma () {
  const { DATABASE_FILE, DATABASE_URL } = process.env
  const [dialect, adapter] = DATABASE_URL === undefined
    ? ['sqlite', new PrismaBetterSqlite3({ url: `file:${DATABASE_FILE}` })]
    : ['postgresql', new PrismaPg({ connectionString: DATABASE_URL })]
  const { PrismaClient } = await import(`${GENERATED}/${dialect}/client.js`)
  const db = new PrismaClient({ adapter })
  await db.$connect()
  return db
}
