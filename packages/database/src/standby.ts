import { setTimeout } from 'node:timers/promises'
import type { Connection } from './connection.js'
import type { ConnectOptions } from './dialect.js'
import { openPool } from './postgresql.js'

/** How long a read waits for the standby to catch up, and how often it looks. */
const CATCH_UP_MS = 50
const POLL_MS = 2

/** How long to avoid the standby after it failed or did not catch up. Then one read tries it. */
const PAUSE_MS = 2_000

/** Timeouts of the standby: afterwards, the primary must still be able to respond within a request's 3 s. */
const MAX_CONNECT_MS = 250
const MAX_STATEMENT_MS = 400

/** Time limit for the last statement of a read to begin. */
const MAX_READ_MS = 400

/** Each statement sees what was replayed before it, regardless of the server's default. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY'

/** The primary's position and timeline; every acknowledged write is before it. */
const WRITTEN = {
  sql: `SELECT CAST(place AS text), CAST(('x' || left(pg_walfile_name(place), 8)) AS bit(32)) :: int
    FROM (SELECT CASE current_setting('synchronous_commit')
      WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS place) AS written`,
  args: []
}

/**
 * Whether a standby that follows its primary has replayed up to a position. After a failover, a standby with another history is
 * on another timeline; one that follows reports the new timeline after its next checkpoint.
 */
const HAS_REPLAYED = `SELECT pg_is_in_recovery() AND EXISTS (SELECT FROM pg_stat_wal_receiver)
  AND (SELECT timeline_id FROM pg_control_checkpoint()) = $2 AND pg_last_wal_replay_lsn() >= CAST($1 AS pg_lsn) AS done`

/** What a standby has in common with its primary. */
const IDENTITY = { sql: "SELECT system_identifier || ' ' || current_database() FROM pg_control_system()", args: [] }

/** Where a read ran: the `standby`; or the primary, because the standby failed, is behind, did so just before (`paused`), or is busy. */
export type Outcome = 'standby' | 'failed' | 'behind' | 'paused' | 'busy'

interface Options extends ConnectOptions {
  /** Called for every read. */
  onRead: (outcome: Outcome, error?: unknown) => void
}

/**
 * A hot standby of PostgreSQL, for reads that see every earlier acknowledged write of any process: a read begins when the standby
 * has replayed what the primary had written at the call.
 */
export class Standby {
  readonly #primary: Connection
  readonly #open: () => ReturnType<typeof openPool>
  readonly #onRead: Options['onRead']
  #opening: ReturnType<typeof openPool> | undefined
  /** When a read may try the standby again; `undefined` while it is in use. */
  #retryAt: number | undefined = -Infinity

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
   * @returns `undefined` if the standby lags or fails: then use the primary
   * @throws what the primary throws
   */
  async read<T> (work: (run: Connection['run']) => Promise<T>): Promise<T | undefined> {
    if (this.#retryAt !== undefined && performance.now() < this.#retryAt) return this.#report('paused')
    // Others do not try until this read has.
    if (this.#retryAt !== undefined) this.#pause()
    const [written = []] = await this.#primary.run(WRITTEN)
    try {
      const opened = await (this.#opening ??= this.#connect())
      const { idleCount, totalCount, options: { max } } = opened.pool
      if (idleCount === 0 && totalCount >= max) return this.#report('busy')
      const result = await tryRead(opened, written, work)
      if (result === undefined) {
        this.#pause()
        return this.#report('behind')
      }
      this.#retryAt = undefined
      this.#report('standby')
      return result
    } catch (error) {
      this.#pause()
      return this.#report('failed', error)
    }
  }

  async close (): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.pool.end()
  }

  #report (outcome: Outcome, error?: unknown): undefined {
    this.#onRead(outcome, error)
    return undefined
  }

  #pause () {
    this.#retryAt = performance.now() + PAUSE_MS
  }

  /** @throws an error with a sentence for the operator, if it is not a standby of the primary's database */
  async #connect () {
    let opened: Awaited<ReturnType<typeof openPool>> | undefined
    try {
      opened = await this.#open()
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

/** Reads when the standby has replayed what was written; `undefined` if that takes too long. */
async function tryRead<T> (
  { pool, toQuery }: Awaited<ReturnType<typeof openPool>>,
  written: unknown[],
  work: (run: Connection['run']) => Promise<T>
): Promise<T | undefined> {
  const client = await pool.connect()
  // A lost connection fails the running statement.
  const ignore = () => {}
  client.on('error', ignore)
  let isLost = true
  try {
    await client.query(BEGIN)
    const hasCaughtUp = await isSoon(async () => (await client.query(HAS_REPLAYED, written)).rows[0].done === true)
    const deadline = performance.now() + MAX_READ_MS
    const run: Connection['run'] = async query => {
      if (performance.now() > deadline) throw new Error('The standby is too slow.')
      return (await client.query(toQuery(query))).rows
    }
    const result = hasCaughtUp ? await work(run) : undefined
    await client.query('COMMIT')
    isLost = false
    return result
  } finally {
    client.off('error', ignore)
    client.release(isLost)
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
