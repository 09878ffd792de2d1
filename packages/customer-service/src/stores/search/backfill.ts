import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { exists, query, raw, sql } from '@frontdesk/database/sql'
import { pick, setColumns } from '@frontdesk/database/table'
import { isReadOnly } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import { customer } from '../../generated/tables.js'
import { BELOW_IDS } from './bounds.js'
import { foldName, foldWords } from './fold.js'

/** Enough to share pages of the indexes, and few enough not to delay writers. */
const CUSTOMERS_PER_STATEMENT = 100

/** How long a list waits. */
const TIMEOUT_MS = 500

const UNFOLDED = 'customer.name_words || customer.address_words IS NULL'

const ANY = sql`SELECT 1 FROM customer WHERE ${raw(UNFOLDED)} ORDER BY id LIMIT 1`

const ROW = { ...pick(customer, 'id', 'name', 'address'), texts: 'string' } as const

/** Compares a customer before it is written with what was read. In hexadecimal, as text in SQLite can be invalid UTF-8. */
const TEXTS = { sqlite: "hex(name) || ' ' || hex(address)", postgres: "length(name) || ' ' || name || address" }

/** Indexes customers that other programs or administrators wrote with SQL. Safe to run concurrently and to kill. */
export class Backfill {
  readonly #connection: Connection
  readonly #texts: string
  readonly #write
  /** Whether a customer is to be indexed. Each list asks, so concurrent ones share the statement. */
  readonly #isBehind: Batcher<undefined, boolean>
  #running: Promise<void> | undefined
  #isStopping = false

  constructor (connection: Connection) {
    this.#connection = connection
    this.#texts = TEXTS[connection.dialect === 'postgresql' ? 'postgres' : 'sqlite']
    this.#isBehind = new Batcher(async lists => {
      const isBehind = await exists(connection, ANY)
      return lists.map(() => isBehind)
    }, connection)
    // Only customers that are still as they were read: writes of others meanwhile must not be lost.
    const folded = pick(customer, 'nameFold', 'nameWords', 'addressWords')
    this.#write = listStatement(connection, {
      entry: { ...pick(customer, 'id'), texts: 'string', ...folded },
      sql: entries => `
        UPDATE customer SET ${setColumns(folded)} FROM ${entries}
        WHERE customer.id = entry.id AND ${this.#texts} = entry.texts AND ${UNFOLDED}`
    })
  }

  /**
   * Resolves when every customer is indexed, or after half a second, and continues in the background. Ignores that a database
   * is read-only.
   * @throws what the database throws
   */
  readonly catchUp = async (): Promise<void> => {
    const deadline = Date.now() + TIMEOUT_MS
    try {
      // Twice: a run in progress may have missed a customer that was written meanwhile.
      for (let tries = 0; tries < 2 && Date.now() < deadline && await this.#isBehind.run(undefined); tries++) {
        const timeout = new AbortController()
        const waiting = setTimeout(deadline - Date.now(), undefined, { signal: timeout.signal }).catch(() => undefined)
        await Promise.race([this.run(), waiting]).finally(() => { timeout.abort() })
      }
    } catch (error) {
      if (!isReadOnly(error)) throw error
    }
  }

  /** Indexes all such customers. Single-flight: concurrent callers share the work. @throws what the database throws */
  readonly run = async (): Promise<void> => {
    this.#running ??= this.#fold().finally(() => { this.#running = undefined })
    await this.#running
  }

  /** Stops; resolves when no statement is running. */
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
      // Leaves half of the time for writers.
      if (count === CUSTOMERS_PER_STATEMENT) await setTimeout(Date.now() - begin)
    }
  }

  /** Reads customers to index after an identifier. */
  async #read (after: number, limit: number) {
    return await query(this.#connection, ROW, sql`
      SELECT id, CAST(name AS TEXT), CAST(address AS TEXT), ${raw(this.#texts)} FROM customer
      WHERE ${raw(UNFOLDED)} AND id > CAST(${after} AS bigint) ORDER BY id LIMIT ${raw(String(limit))}`)
  }
}
