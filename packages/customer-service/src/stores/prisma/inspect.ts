import { inspect } from './generated/database/inspect.js'

/** Where the committed migrations are. */
export const MIGRATIONS = new URL('../../../../../../prisma/customer/', import.meta.url)

/** Looks at the database without a change to it, and without Prisma. @throws if it cannot be reached or read */
export async function inspectDatabase (url: string) {
  return await inspect(url, MIGRATIONS)
}
