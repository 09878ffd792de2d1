import { setTimeout } from 'node:timers/promises'
import type { Connection } from './connection.js'
import type { ConnectOptions } from './dialect.js'
import { openPool } from './postgresql.js'

/** How long a read waits for the standby to catch up, and how often it looks, in milliseconds. */
const CATCH_UP_MS = 50
const POLL_MS = 2

/** For how long the standby is left alone after it failed or did not catch up, in milliseconds. */
const PAUSE_MS = 2_000

/** Timeouts of the standby, in milliseconds: what it does not answer, the primary has to, within the 3 s of a request. */
const MAX_CONNECT_MS = 250
const MAX_STATEMENT_MS = 500

/** Whether a standby that follows its primary has replayed so much. After a failover, the one that was ahead of all no longer follows. */
const HAS_REPLAYED = `SELECT pg_is_in_recovery() AND EXISTS (SELECT FROM pg_stat_wal_receiver)
  AND pg_last_wal_replay_lsn() >= CAST($1 AS pg_lsn) AS done`

/** How far the primary has written; every acknowledged write is before it. */
const WRITTEN = { sql: 'SELECT CAST(pg_current_wal_flush_lsn() AS text)', args: [], argTypes: [] }

/** What a standby has in common with its primary. */
const IDENTITY = { sql: "SELECT system_identifier || ' ' || current_database() FROM pg_control_system()", args: [], argTypes: [] }

/** Where a read was answered: `standby`; or the primary, because the standby failed, did not catch up, or did so before. */
export type Outcome = 'standby' | 'failed' | 'behind' | 'paused'

interface Options extends ConnectOptions {
  /** Is told of every read. */
  onRead: (outcome: Outcome, error?: unknown) => void
}

/**
 * A hot standby of PostgreSQL, for reads that see every write that was acknowledged before them, by whichever process:
 * they begin when the standby has replayed what the primary had written at the call.
 */
export class Standby {
  readonly #primary: Connection
  readonly #open: () => ReturnType<typeof openPool>
  readonly #onRead: Options['onRead']
  #opening: ReturnType<typeof openPool> | undefined
  #pausedUntil = -Infinity

  constructor (url: string, primary: Connection, { onRead, ...options }: Options) {
    this.#primary = primary
    this.#onRead = onRead
    this.#open = () => openPool(url, {
      ...options,
      connectTimeout: Math.min(options.connectTimeout, MAX_CONNECT_MS),
      statementTimeout: Math.min(options.statementTimeout, MAX_STATEMENT_MS)
    }, MAX_CONNECT_MS)
  }

  /**
   * Runs statements on the standby, all in one read-only transaction.
   * @returns `undefined` if the standby lags or fails: then the primary has to be asked
   */
  async read<T> (work: (run: Connection['run']) => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#pausedUntil) {
      this.#onRead('paused')
      return undefined
    }
    try {
      const result = await this.#tryRead(work)
      if (result === undefined) this.#pause()
      this.#onRead(result === undefined ? 'behind' : 'standby')
      return result
    } catch (error) {
      this.#pause()
      this.#onRead('failed', error)
      return undefined
    }
  }

  async close (): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.pool.end()
  }

  #pause () {
    this.#pausedUntil = performance.now() + PAUSE_MS
  }

  async #tryRead<T> (work: (run: Connection['run']) => Promise<T>): Promise<T | undefined> {
    const [[place] = []] = await this.#primary.run(WRITTEN)
    const { pool, toQuery } = await (this.#opening ??= this.#connect())
    const client = await pool.connect()
    let isLost = true
    try {
      await client.query('BEGIN READ ONLY')
      const hasCaughtUp = await isSoon(async () => (await client.query(HAS_REPLAYED, [place])).rows[0].done === true)
      const result = hasCaughtUp ? await work(async query => (await client.query(toQuery(query))).rows) : undefined
      await client.query('COMMIT')
      isLost = false
      return result
    } finally {
      client.release(isLost)
    }
  }

  /** @throws an error with a sentence for the operator, if it is not a standby of the primary's database */
  async #connect () {
    let opened: Awaited<ReturnType<typeof openPool>> | undefined
    try {
      opened = await this.#open()
      // A connection that is lost while no read uses it is replaced by the next one.
      opened.pool.on('error', () => {})
      const { rows: [[own] = []] } = await opened.pool.query<string[]>({ text: IDENTITY.sql, rowMode: 'array' })
      const [[primary] = []] = await this.#primary.run(IDENTITY)
      if (own !== primary) throw new Error('DATABASE_READ_URL is another database, not a standby of DATABASE_URL.')
      return opened
    } catch (error) {
      this.#opening = undefined
      await opened?.pool.end()
      throw error
    }
  }
}

async function isSoon (check: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + CATCH_UP_MS
  for (;;) {
    if (await check()) return true
    if (performance.now() > deadline) return false
    await setTimeout(POLL_MS)
  }
}
