import type { Mode } from './batch.js'
import type { Query, Steps } from './steps.js'

/** A connection to the database. */
export interface Connection {
  readonly dialect: 'sqlite' | 'postgresql'
  /** Executes one statement and returns its rows. Waits for locks, and retries conflicts. */
  readonly run: (query: Query) => Promise<unknown[][]>
  /**
   * Runs statements in one atomic transaction; handles locks as `run` does.
   * @param steps called again for a retry
   * @param mode how long it may wait for a locked row on PostgreSQL
   */
  readonly transact: <R>(steps: () => Steps<R>, mode?: Mode) => Promise<R>
  /** Useful number of concurrent statements. */
  readonly concurrency: number
  /** Returns why writes are lost: the file was removed or replaced. `undefined` if they are not. */
  readonly whyLost: () => string | undefined
  /** PostgreSQL's connections by state, and requests that wait for one; `null` with SQLite. */
  readonly pool: () => { readonly used: number, readonly idle: number, readonly waiting: number } | null
  /** Closes every connection. Afterwards, SQLite's file is complete without its `-wal`. */
  readonly close: () => Promise<void>
}
