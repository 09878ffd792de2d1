import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import type { Steps } from './steps.js'

/** A way to the database: for Prisma's client, and below it for the statements that are worth it. */
export interface Connection {
  /** What Prisma's client is made with. */
  readonly adapter: SqlDriverAdapterFactory
  /** Runs one statement, and gives its rows; as careful with locks and transactions as Prisma's driver. */
  readonly run: (query: SqlQuery) => Promise<unknown[][]>
  /** Runs statements in one transaction, as careful as `run`: all of them or none. @param steps is called again if nothing could begin */
  readonly transact: <R>(steps: () => Steps<R>) => Promise<R>
  /** How many statements are worth having under way at once. */
  readonly concurrency: number
  /** Why what is written here is lost: the file was removed or replaced. `undefined` if it is still at its path, or there is none. */
  readonly whyLost: () => string | undefined
  /** Closes every connection, also those that Prisma's client was never asked for. SQLite's file is complete afterwards, without its `-wal`. */
  readonly close: () => Promise<void>
}

/** Calls `work` the first time only: Prisma's client closes its connection too, if it was ever asked. */
export function once (work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return async () => {
    done ??= work()
    await done
  }
}

/** Gives Prisma's client a connection that is there already. */
export function keep ({ provider, adapterName }: SqlDriverAdapterFactory, driver: SqlDriverAdapter): SqlDriverAdapterFactory {
  return { provider, adapterName, connect: async () => driver }
}
