import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import type { Steps } from './steps.js'

/** A connection to the database, for Prisma's client and for statements that bypass it because they are frequent. */
export interface Connection {
  /** The driver adapter for Prisma's client. */
  readonly adapter: SqlDriverAdapterFactory
  /** Runs one statement and returns its rows. Handles locks and transactions as the adapter does. */
  readonly run: (query: SqlQuery) => Promise<unknown[][]>
  /**
   * Runs statements in one transaction, atomically; handles locks as `run` does.
   * @param steps called again for a retry
   * @param isShared whether several requests wait for it: on PostgreSQL, it then soon gives up on a locked row
   */
  readonly transact: <R>(steps: () => Steps<R>, mode?: { readonly isShared: boolean }) => Promise<R>
  /** Useful number of concurrent statements. */
  readonly concurrency: number
  /** Why writes are lost: the file was removed or replaced. `undefined` if it is still at its path, or the database is not a file. */
  readonly whyLost: () => string | undefined
  /** Closes every connection, even if Prisma's client was never used. SQLite's file is complete afterwards, without its `-wal`. */
  readonly close: () => Promise<void>
}

/** Calls `work` the first time only: Prisma's client also closes its connection, if it was ever used. */
export function once (work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return async () => {
    done ??= work()
    await done
  }
}

/** Makes Prisma's client use an open connection. */
export function keep ({ provider, adapterName }: SqlDriverAdapterFactory, driver: SqlDriverAdapter): SqlDriverAdapterFactory {
  return { provider, adapterName, connect: async () => driver }
}
