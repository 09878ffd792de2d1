import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { decodeRows } from '@frontdesk/database/rows'
import { isReadOnly } from '@frontdesk/database/unavailable'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { setTimeout } from 'node:timers/promises'
import { foldName, foldWords } from './fold.js'

/** Changes that one update indexes, at most: many share the pages of the indexes, and few do not hold up writers. */
export const UPDATE_SIZE = 100

/** Words of one statement, at most: SQLite takes 32,766 values. */
const MAX_WORDS = 4_096

/** Updates that a list waits for, at most. */
const CATCH_UP_UPDATES = 50

/** How long a list waits for them. */
const CATCH_UP_TIMEOUT_MS = 500

/** Serializes updates in PostgreSQL: changes that are read later must be indexed later. An arbitrary number. */
const LOCK = 'SELECT pg_advisory_xact_lock(72707370)'

/**
 * The tables that lists and searches read, updated from the changes of customers. Any number of processes may update
 * them concurrently, and may be killed at any time.
 */
export class SearchIndex {
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
      for (let updates = 0; updates < CATCH_UP_UPDATES && await this.update() === UPDATE_SIZE; updates++);
      return waiting.map(() => undefined)
    }, { concurrency: 1 })
    this.#read = new ValuesStatement(connection, list => `
      SELECT changed.column1, name, address, customer.age, customer.updated_at, name_fold, words, listed.age
      FROM (${list}) AS changed LEFT JOIN customer ON customer.id = changed.column1 LEFT JOIN listed_customer AS listed ON listed.id = changed.column1`, ['int'],
    {
      id: 'int',
      name: 'string?',
      address: 'string?',
      age: 'int?',
      updatedAt: 'datetime?',
      listedName: 'string?',
      listedWords: 'string?',
      listedAge: 'int?'
    })
    this.#write = new ValuesStatement(connection, list => `
      INSERT INTO listed_customer (id, name_fold, words, age, updated_at) ${list}
      ON CONFLICT (id) DO UPDATE SET name_fold = excluded.name_fold, words = excluded.words, age = excluded.age, updated_at = excluded.updated_at`, ['int', 'string', 'string', 'int', 'datetime'])
    this.#move = new ValuesStatement(connection, list => `
      UPDATE listed_customer SET words = change.column2, updated_at = change.column3 FROM (${list}) AS change WHERE id = change.column1`, [
      'int', 'string', 'datetime'
    ])
    this.#addWords = new ValuesStatement(connection, list => `INSERT INTO listed_word (word, customer_id) ${list} ON CONFLICT DO NOTHING`, [
      'string', 'int'
    ])
    this.#removeWords = new ValuesStatement(connection, list => `DELETE FROM listed_word WHERE (word, customer_id) IN (${list})`, [
      'string', 'int'
    ])
    this.#remove = new ValuesStatement(connection, list => `DELETE FROM listed_customer WHERE id IN (${list})`, ['int'])
    this.#forget = new ValuesStatement(connection, list => `DELETE FROM unlisted WHERE seq IN (${list})`, ['bigint'])
  }

  /**
   * Resolves when earlier changes are indexed; of thousands of changes, the oldest. Gives up if the database is
   * read-only or slow: the index can still be read then. Single-flight: concurrent callers share the updates.
   * @throws what the database throws
   */
  readonly catchUp = async (): Promise<void> => {
    const timeout = new AbortController()
    try {
      await Promise.race([this.#catchUp.ask(undefined), setTimeout(CATCH_UP_TIMEOUT_MS, undefined, { signal: timeout.signal })])
    } catch (error) {
      if (!isReadOnly(error)) throw error
    } finally {
      timeout.abort()
    }
  }

  /** Indexes the oldest changes; resolves to how many: {@link UPDATE_SIZE} if there may be more. */
  readonly update = async (): Promise<number> => {
    const [waiting] = await this.#connection.run({ sql: 'SELECT seq FROM unlisted ORDER BY seq LIMIT 1', args: [], argTypes: [] })
    return waiting === undefined ? 0 : await this.#connection.transact(() => this.#steps())
  }

  * #steps (): Steps<number> {
    if (this.#connection.adapter.provider === 'postgres') yield { sql: LOCK, args: [], argTypes: [] }
    const changes = decodeRows(
      { seq: 'bigint', id: 'int' },
      yield { sql: `SELECT seq, customer_id FROM unlisted ORDER BY seq LIMIT ${UPDATE_SIZE}`, args: [], argTypes: [] }
    )
    if (changes.length === 0) return 0
    const read = yield * this.#read.step([...new Set(changes.map(({ id }) => id))].map(id => [id]))
    const rows = [...new Map(read.map(row => [row.id, row])).values()].sort((one, other) => one.id - other.id)

    const listed: unknown[][] = []
    const moved: unknown[][] = []
    const removed: unknown[][] = []
    const wordsBefore: WordOf[] = []
    const wordsAfter: WordOf[] = []
    for (const { id, name, address, age, updatedAt, listedName, listedWords, listedAge } of rows) {
      const before = listedWords ?? ''
      const after = name === null || address === null ? '' : foldWords(name, address)
      const nameFold = foldName(name ?? '')
      if (name === null) removed.push([id])
      // Does not touch the indexes of columns that have not changed.
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
    yield this.#forget.query(changes.map(({ seq }) => [seq]))
    return changes.length
  }
}

type WordOf = readonly [word: string, id: number]

/** The words that `words` has and `others` lacks; each has a space before it. */
function without (words: string, others: string, id: number): WordOf[] {
  if (words === others) return []
  const known = new Set(others.split(' '))
  return words.split(' ').filter(word => !known.has(word) && word !== '').map(word => [word, id])
}

function inParts (words: WordOf[]): WordOf[][] {
  return Array.from({ length: Math.ceil(words.length / MAX_WORDS) }, (_, index) => words.slice(index * MAX_WORDS, (index + 1) * MAX_WORDS))
}

/** Sorts neighbours onto one page of the index. */
function byWord ([one, id]: WordOf, [other, otherId]: WordOf): number {
  return one === other ? id - otherId : one < other ? -1 : 1
}
