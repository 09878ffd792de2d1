import type { PrismaClient } from '../generated/sqlite/client.js'

/** Prisma's client, as the stores see it: typed for SQLite, the poorer of the two dialects. */
export type Database = PrismaClient
