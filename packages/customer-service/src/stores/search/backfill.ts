import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { query, raw, sql } from '@frontdesk/database/sql'
import { pick, setColumns } from '@frontdesk/database/table'
import { isReadOnly } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import { customer } from '../../generated/tables.js'
import { BELOW_IDS } from './bounds.js'
import { foldName, foldWords } from './fold.js'

/** Customers of one statement: many share the pages of the indexes, and few do not hold up writers. */
const CUSTOMERS_PER_STATEMENT = 100

/** How long a list waits, in milliseconds. */
const TIMEOUT_MS = 500

const UNFOLDED = 'customer.name_words || customer.address_words IS NULL'

const ROW = { ...pick(customer, 'id', 'name', 'address'), texts: 'string' } as const

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
    const folded = pick(customer, 'nameFold', 'nameWords', 'addressWords')
    this.#write = listStatement(connection, {
      entry: { ...pick(customer, 'id'), texts: 'string', ...folded },
      sql: entries => `
        UPDATE customer SET ${setColumns(folded)} FROM ${entries}
        WHERE customer.id = entry.id AND ${this.#texts} = entry.texts AND ${UNFOLDED}`
    })
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
    for (let count = CUSTOMERS_PER_STATEMENT; count === CUSTOMERS_PER_STATEMENT && !this.#isStopping;) {
      const begin = Date.now()
      const rows = await this.#read(last, CUSTOMERS_PER_STATEMENT)
      count = rows.length
      last = rows.at(-1)?.id ?? last
      await this.#write.run(rows.map(({ id, texts, name, address }) =>
        ({ id, texts, nameFold: foldName(name), nameWords: foldWords(name), addressWords: foldWords(address) })))
      // Leaves half of the time to writers.
      if (count === CUSTOMERS_PER_STATEMENT) await setTimeout(Date.now() - begin)
    }
  }

  /** Reads customers after an identifier that are not folded. */
  async #read (after: number, limit: number) {
    return await query(this.#connection, ROW, sql`
      SELECT id, CAST(name AS TEXT), CAST(address AS TEXT), ${raw(this.#texts)} FROM customer
      WHERE ${raw(UNFOLDED)} AND id > CAST(${after} AS bigint) ORDER BY id LIMIT ${raw(String(limit))}`)
  }
}
