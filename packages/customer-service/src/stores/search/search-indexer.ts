import { setTimeout } from 'node:timers/promises'
import { UPDATE_SIZE, type SearchIndex } from './search-index.js'

/** How long to rest before looking for changes again, and before a retry. */
const REST_MS = 1_000

/** Rests this many times as long as it worked, to leave the database to writers; the larger the backlog, the less. */
const REST_FACTOR = { most: 15, least: 1 }

/** Indexed changes that lower the factor by one. */
const CHANGES_PER_FACTOR = 1_000

/** Changes in a row that are worth a line in the log. */
const LOGGED_CHANGES = 10_000

/** Where the indexer logs. */
interface Log {
  info: (members: object, text: string) => void
  warn: (members: object, text: string) => void
}

/**
 * Updates the search index in the background, so that lists and searches wait for few changes. Any number of processes
 * may do so concurrently, and may be killed at any time.
 */
export class SearchIndexer {
  readonly #index: Pick<SearchIndex, 'update'>
  readonly #log: Log
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor (index: Pick<SearchIndex, 'update'>, log: Log) {
    this.#index = index
    this.#log = log
  }

  start (): void {
    this.#running = this.#run()
  }

  /** Resolves when no update is under way any more. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run () {
    const { signal } = this.#stopping
    let [indexed, failing] = [0, false]
    while (!signal.aborted) {
      const begin = Date.now()
      try {
        const count = await this.#index.update()
        const isUpToDate = count < UPDATE_SIZE
        indexed = isUpToDate ? this.#logBacklog(indexed) : indexed + count
        failing = false
        const factor = Math.max(REST_FACTOR.least, REST_FACTOR.most - Math.floor(indexed / CHANGES_PER_FACTOR))
        await setTimeout(isUpToDate ? REST_MS : factor * (Date.now() - begin), undefined, { signal, ref: false }).catch(() => undefined)
      } catch (err) {
        if (!failing) this.#log.warn({ err }, 'search index cannot be updated; retrying every second')
        failing = true
        await setTimeout(REST_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }

  #logBacklog (indexed: number): 0 {
    if (indexed >= LOGGED_CHANGES) this.#log.info({ indexed }, 'search index is up to date')
    return 0
  }
}
