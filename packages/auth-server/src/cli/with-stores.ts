import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { databaseName } from '@frontdesk/service-kit/doctor/database'
import { openError } from '@frontdesk/service-kit/doctor/database-error'
import { userInfo } from 'node:os'
import type { Actor } from '../admin/actor.js'
import type { Stores } from '../stores/stores.js'
import { assertExists, assertUpToDate, readSettings } from './database.js'

type Work<T> = (stores: Stores, by: Actor) => Promise<T>

/**
 * For commands that read: opens the database, does the work and closes it. Creates nothing and migrates nothing.
 * @throws CommandError if there is no database, its schema is not up to date or it does not respond, and what `work` throws
 */
export async function readStores<T> (work: Work<T>): Promise<T> {
  const { databaseUrl: url, database } = readSettings()
  await assertUpToDate(url, database)
  return await using(url, work, async ({ openMigrated }) => await openMigrated(url, database))
}

/**
 * For commands that change data: migrates and opens the database, does the work and closes it.
 * @param creates for commands that add: creates a missing database and reports it on standard error, since the address may be a typo
 * @throws CommandError if there is no database, it cannot be opened or does not respond, and what `work` throws
 */
export async function withStores<T> (work: Work<T>, creates = false): Promise<T> {
  const { databaseUrl: url, database } = readSettings()
  if (!creates) assertExists(url)
  return await using(url, work, async ({ openStores }) => {
    const stores = await openStores(url, database)
    if (creates && stores.isNew && url.startsWith('file:')) console.error(`Created a new database: ${databaseName(url)}`)
    return stores
  })
}

/** {@link withStores} for commands that add. */
export async function makeStores<T> (work: Work<T>): Promise<T> {
  return await withStores(work, true)
}

async function using<T> (url: string, work: Work<T>, open: (module: typeof import('../stores/stores.js')) => Promise<Stores>): Promise<T> {
  const [module, { isUnavailable }] = await Promise.all([import('../stores/stores.js'), import('@frontdesk/database/unavailable')])
  const stores = await open(module).catch((cause: unknown) => { throw openError(url, cause) })
  try {
    return await work(stores, shell())
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause
    const database = `The database ${databaseName(url)}`
    throw new CommandError(`${database} cannot be reached, or is locked, full or read-only. Fix that and try again.`, { cause })
  } finally {
    await stores.close()
  }
}

/** The operating system's user; the user id if it has no name, as in a container. */
function shell (): Actor {
  try {
    return { kind: 'shell', name: userInfo().username }
  } catch {
    return { kind: 'shell', name: `uid ${process.getuid?.()}` }
  }
}
