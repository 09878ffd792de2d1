import { setTimeout } from 'node:timers/promises'
import { CHANGES_AT_ONCE } from '../customers/customer-record.js'
import { foldName, foldWords } from './fold.js'
import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Steps } from '@frontdesk/database/steps'
import { isReadOnly } from '@frontdesk/database/unavailable'

/** Words of a statement, at most: SQLite takes 32,766 values. */
const WORDS = 4_096

/** Most batches of changes that a list waits for. */
const MAX_CATCH_UP_BATCHES = 50
/** How long a list waits for them, in milliseconds. */
const CATCH_UP_TIMEOUT_MS = 500

/** Taken by whoever prepares: what is read later must be written later. The number is nobody else's. */
const LOCK = 'SELECT pg_advisory_xact_lock(72707370)'

type Row = [id: number, name: string | null, address: string | null, age: number | null, updatedAt: string | null, listedName: string | null, listedWords: string | null, listedAge: number | null]

/**
 * Tells the tables that lists are made from of customers that were added, changed or removed. Any number of processes
 * may do so at once, and be ended at any time.
 */
export class Listing {
  readonly #connection: Connection
  readonly #catchUp: Batch<undefined, undefined>
  readonly #read
  readonly #write
  readonly #move
  readonly #addWords
  readonly #removeWords
  readonly #remove
  readonly #forget

  constructor (connection: Connection) {
    this.#connection = connection
    this.#catchUp = new Batch(async waiting => {
      for (let batch = 0; batch < MAX_CATCH_UP_BATCHES && await this.prepare() === CHANGES_AT_ONCE; batch++);
      return waiting.map(() => undefined)
    }, { concurrency: 1 })
    this.#read = new ValuesStatement(connection, list => `
      SELECT changed.column1, name, address, customer.age, CAST(customer.updated_at AS text), name_fold, words, listed.age
      FROM (${list}) AS changed LEFT JOIN customer ON customer.id = changed.column1 LEFT JOIN listed_customer AS listed ON listed.id = changed.column1`, ['int'])
    this.#write = new ValuesStatement(connection, list => `
      INSERT INTO listed_customer (id, name_fold, words, age, updated_at) ${list}
      ON CONFLICT (id) DO UPDATE SET name_fold = excluded.name_fold, words = excluded.words, age = excluded.age, updated_at = excluded.updated_at`, ['int', 'string', 'string', 'int', 'datetime'])
    this.#move = new ValuesStatement(connection, list => `
      UPDATE listed_customer SET words = change.column2, updated_at = change.column3 FROM (${list}) AS change WHERE id = change.column1`, ['int', 'string', 'datetime'])
    this.#addWords = new ValuesStatement(connection, list => `INSERT INTO listed_word (word, customer_id) ${list} ON CONFLICT DO NOTHING`, ['string', 'int'])
    this.#removeWords = new ValuesStatement(connection, list => `DELETE FROM listed_word WHERE (word, customer_id) IN (${list})`, ['string', 'int'])
    this.#remove = new ValuesStatement(connection, list => `DELETE FROM listed_customer WHERE id IN (${list})`, ['int'])
    this.#forget = new ValuesStatement(connection, list => `DELETE FROM unlisted WHERE seq IN (${list})`, ['bigint'])
  }

  /**
   * Resolves when lists know what was changed before; of a great many changes, the oldest. Where the database can only be
   * read, or is slow, it gives up: lists can be read then too. @throws as the database does when it is away
   */
  async catchUp (): Promise<void> {
    const timeout = new AbortController()
    try {
      await Promise.race([this.#catchUp.ask(undefined), setTimeout(CATCH_UP_TIMEOUT_MS, undefined, { signal: timeout.signal })])
    } catch (error) {
      if (!isReadOnly(error)) throw error
    } finally {
      timeout.abort()
    }
  }

  /** Tells lists of the oldest changes; resolves to how many. */
  async prepare (): Promise<number> {
    const [waiting] = await this.#connection.run({ sql: 'SELECT seq FROM unlisted ORDER BY seq LIMIT 1', args: [], argTypes: [] })
    return waiting === undefined ? 0 : await this.#connection.transact(() => this.#steps())
  }

  * #steps (): Steps<number> {
    if (this.#connection.adapter.provider === 'postgres') yield { sql: LOCK, args: [], argTypes: [] }
    const changes = yield { sql: `SELECT seq, customer_id FROM unlisted ORDER BY seq LIMIT ${CHANGES_AT_ONCE}`, args: [], argTypes: [] }
    if (changes.length === 0) return 0
    // as: the columns.
    const read = (yield this.#read.query([...new Set(changes.map(([, id]) => id))].map(id => [id]))) as Row[]
    const rows = [...new Map(read.map(row => [row[0], row])).values()].sort(([one], [other]) => one - other)

    const listed: unknown[][] = []
    const moved: unknown[][] = []
    const removed: unknown[][] = []
    const wordsBefore: WordOf[] = []
    const wordsAfter: WordOf[] = []
    for (const [id, name, address, age, updatedAt, listedName, listedWords, listedAge] of rows) {
      const before = listedWords ?? ''
      const after = name === null || address === null ? '' : foldWords(name, address)
      const nameFold = foldName(name ?? '')
      if (name === null) removed.push([id])
      // The indexes of what has not changed are left alone.
      else if (nameFold === listedName && age === listedAge) moved.push([id, after, updatedAt])
      else listed.push([id, nameFold, after, age, updatedAt])
      wordsBefore.push(...without(before, after, id))
      wordsAfter.push(...without(after, before, id))
    }
    if (listed.length > 0) yield this.#write.query(listed)
    if (moved.length > 0) yield this.#move.query(moved)
    if (removed.length > 0) yield this.#remove.query(removed)
    for (const words of inParts(wordsBefore.sort(byWord))) yield this.#removeWords.query(words)
    for (const words of inParts(wordsAfter.sort(byWord))) yield this.#addWords.query(words)
    yield this.#forget.query(changes.map(([seq]) => [seq]))
    return changes.length
  }
}

type WordOf = readonly [word: string, id: number]

/** The words of one text that another lacks; each has a space before it. */
function without (words: string, others: string, id: number): WordOf[] {
  if (words === others) return []
  const known = new Set(others.split(' '))
  return words.split(' ').filter(word => !known.has(word) && word !== '').map(word => [word, id])
}

function inParts (words: WordOf[]): WordOf[][] {
  return Array.from({ length: Math.ceil(words.length / WORDS) }, (_, index) => words.slice(index * WORDS, (index + 1) * WORDS))
}

/** Neighbours are on one page of the index. */
function byWord ([one, id]: WordOf, [other, otherId]: WordOf): number {
  return one === other ? id - otherId : one < other ? -1 : 1
}
