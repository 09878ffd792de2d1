import { existsSync } from 'node:fs'
import type { Config, loadDatabase } from '../config.js'
import type { Stores } from '../stores/stores.js'
import { Refusal } from './refusal.js'

/**
 * Opens the database of the environment's DATABASE_URL, does the work and closes it. Where there was none yet,
 * it says so on standard error: the address may be mistyped.
 * @throws Refusal if the address is wrong or the database cannot be opened or does not answer, and what `work` throws
 */
export async function withStores<T> (work: (stores: Stores) => Promise<T>): Promise<T> {
  const { databaseUrl: url, database } = await readSettings()
  const file = url.startsWith('file:') ? url.slice('file:'.length) : undefined
  const isNew = file !== undefined && !existsSync(file)
  const stores = await open(url, database)
  if (isNew) console.error(`Made a new database: ${file}`)
  try {
    return await work(stores)
  } catch (error) {
    const { isUnavailable } = await import('../stores/prisma/open.js')
    if (!isUnavailable(error)) throw error
    throw new Refusal(`The database ${publicPart(url)} is away, locked, full or read-only. Mend that and try again.`, { cause: error })
  } finally {
    await stores.close()
  }
}

async function readSettings (): Promise<ReturnType<typeof loadDatabase>> {
  const { ConfigError, loadDatabase } = await import('../config.js')
  try {
    return loadDatabase()
  } catch (error) {
    if (error instanceof ConfigError) throw new Refusal(error.message, { cause: error })
    throw error
  }
}

async function open (url: string, options: Config['database']): Promise<Stores> {
  const { openStores } = await import('../stores/prisma/open.js')
  try {
    return await openStores(url, options)
  } catch (error) {
    throw new Refusal(`The database ${publicPart(url)} cannot be opened: ${reasonOf(error)}.`, { cause: error })
  }
}

/** The address without user name, password and parameters. */
function publicPart (url: string): string {
  if (url.startsWith('file:')) return url.slice('file:'.length)
  return URL.canParse(url) ? `postgresql://${new URL(url).host}${new URL(url).pathname}` : 'at DATABASE_URL'
}

function reasonOf (error: unknown): string {
  // A connection tried at several addresses fails with all of their errors, and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
