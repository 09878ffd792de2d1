import type { Connection } from '@frontdesk/database/connection'
import { decodeRows } from '@frontdesk/database/rows'
import { isReadOnly } from '@frontdesk/database/unavailable'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { setTimeout } from 'node:timers/promises'
import { foldName, foldWords } from './fold.js'

/** Customers of one statement: many share the pages of the indexes, and few do not hold up writers. */
const BATCH = 100

/** How long a list waits, in milliseconds. */
const TIMEOUT_MS = 500

const UNFOLDED = 'SELECT id, name, address FROM customer WHERE name_words || address_words IS NULL ORDER BY id LIMIT'

/**
 * Folds the customers that were written by clients that do not know how: a replica of an earlier version, or an
 * administrator. Any number of processes may do so concurrently, and may be killed at any time.
 */
export class Backfill {
  readonly #connection: Connection
  readonly #write
  #running: Promise<void> | undefined
  #isStopping = false

  constructor (connection: Connection) {
    this.#connection = connection
    // Changes only what is still as it was read, and does not lose what others write meanwhile.
    this.#write = new ValuesStatement(connection, list => `
      UPDATE customer SET name_fold = folded.column4, name_words = folded.column5, address_words = folded.column6
      FROM (${list}) AS folded
      WHERE id = folded.column1 AND name = folded.column2 AND address = folded.column3 AND name_words || address_words IS NULL`, [
      'int', 'string', 'string', 'string', 'string', 'string'
    ])
  }

  /**
   * Resolves when every customer is folded, or after half a second; the rest follows in the background. A read-only
   * database can still be searched.
   * @throws what the database throws
   */
  readonly catchUp = async (): Promise<void> => {
    const deadline = Date.now() + TIMEOUT_MS
    try {
      while (Date.now() < deadline && (await this.#read(1)).length > 0) {
        const timeout = new AbortController()
        const waiting = setTimeout(deadline - Date.now(), undefined, { signal: timeout.signal }).catch(() => undefined)
        await Promise.race([this.run(), waiting]).finally(() => { timeout.abort() })
      }
    } catch (error) {
      if (!isReadOnly(error)) throw error
    }
  }

  /** Folds every customer that is not. Single-flight: concurrent callers share the work. @throws what the database throws */
  readonly run = async (): Promise<void> => {
    this.#running ??= this.#fold().finally(() => { this.#running = undefined })
    await this.#running
  }

  /** Resolves when no statement is under way. */
  readonly stop = async (): Promise<void> => {
    this.#isStopping = true
    await this.#running?.catch(() => undefined)
  }

  async #fold () {
    for (let count = BATCH; count === BATCH && !this.#isStopping;) {
      const begin = Date.now()
      const rows = await this.#read(BATCH)
      count = rows.length
      if (count > 0) {
        await this.#write.run(rows.map(({ id, name, address }) => [
          id, name, address, foldName(name), foldWords(name), foldWords(address)
        ]))
      }
      // Leaves half of the time to writers.
      if (count === BATCH) await setTimeout(Date.now() - begin)
    }
  }

  async #read (limit: number) {
    const rows = await this.#connection.run({ sql: `${UNFOLDED} ${limit}`, args: [], argTypes: [] })
    return decodeRows({ id: 'int', name: 'string', address: 'string' }, rows)
  }
}
