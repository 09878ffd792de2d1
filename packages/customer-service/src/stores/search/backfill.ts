import type { Connection } from '@frontdesk/database/connection'
import { decodeRows } from '@frontdesk/database/rows'
import { isReadOnly } from '@frontdesk/database/unavailable'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { setTimeout } from 'node:timers/promises'
import { BELOW_IDS } from './bounds.js'
import { foldName, foldWords } from './fold.js'

/** Customers of one statement: many share the pages of the indexes, and few do not hold up writers. */
const BATCH = 100

/** How long a list waits, in milliseconds. */
const TIMEOUT_MS = 500

const UNFOLDED = 'name_words || address_words IS NULL'

/** What a customer is read by, and compared with before it is written: a text of SQLite may have bytes that are not UTF-8. */
const TEXTS = { sqlite: "hex(name) || ' ' || hex(address)", postgres: "length(name) || ' ' || name || address" }

/**
 * Folds the customers that another program or an administrator wrote by SQL. Any number of processes may do so concurrently,
 * and may be killed at any time.
 */
export class Backfill {
  readonly #connection: Connection
  readonly #texts: string
  readonly #write
  #running: Promise<void> | undefined
  #isStopping = false

  constructor (connection: Connection) {
    this.#connection = connection
    this.#texts = TEXTS[connection.dialect === 'postgresql' ? 'postgres' : 'sqlite']
    // Changes only what is still as it was read, and does not lose what others write meanwhile.
    this.#write = new ValuesStatement(connection, list => `
      UPDATE customer SET name_fold = folded.column3, name_words = folded.column4, address_words = folded.column5
      FROM (${list}) AS folded WHERE id = folded.column1 AND ${this.#texts} = folded.column2 AND ${UNFOLDED}`, [
      'int', 'string', 'string', 'string', 'string'
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
      // Twice: a run that is under way may have passed a customer that was written meanwhile.
      for (let tries = 0; tries < 2 && Date.now() < deadline && (await this.#read(BELOW_IDS, 1)).length > 0; tries++) {
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
    let last = BELOW_IDS
    for (let count = BATCH; count === BATCH && !this.#isStopping;) {
      const begin = Date.now()
      const rows = await this.#read(last, BATCH)
      count = rows.length
      last = rows.at(-1)?.id ?? last
      const folded = rows.map(({ id, texts, name, address }) => [id, texts, foldName(name), foldWords(name), foldWords(address)])
      if (count > 0) await this.#write.run(folded)
      // Leaves half of the time to writers.
      if (count === BATCH) await setTimeout(Date.now() - begin)
    }
  }

  /** Reads customers after an identifier that are not folded. */
  async #read (after: number, limit: number) {
    const sql = `SELECT id, ${this.#texts}, CAST(name AS TEXT), CAST(address AS TEXT) FROM customer
      WHERE ${UNFOLDED} AND id > ${after} ORDER BY id LIMIT ${limit}`
    const rows = await this.#connection.run({ sql, args: [] })
    return decodeRows({ id: 'int', texts: 'string', name: 'string', address: 'string' }, rows)
  }
}
