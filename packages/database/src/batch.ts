import { isConflict, isLockTimeout } from './conflict.js'
import { UnknownOutcomeError } from './steps.js'
import { TimeoutError, isUnavailable } from './unavailable.js'
import { waits } from './waits.js'

const MAX_ITEMS_PER_STATEMENT = 64

/** `isHeld`: waits for another item with the same key, not for the database. */
interface Waiting<T, R> { item: T, since: number, isHeld: boolean, resolve: (result: R) => void, reject: (error: unknown) => void }

export interface Mode {
  /** Whether other items wait for the statement, so that it must not wait long for a locked row. */
  readonly isShared: boolean
  /** Whether its batch has already waited for a locked row. Then it must wait even less: each locked row holds up the rest. */
  readonly hasWaited?: boolean
}

/** The batchers of this process with waiting items. */
const queues = new Set<{ oldest: () => number | undefined }>()

/** How long the oldest item has waited for the database, in milliseconds; 0 if none waits. */
export function queueAge (): number {
  const times = [...queues].flatMap(queue => queue.oldest() ?? [])
  return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times))
}

/**
 * Batches concurrent items into one statement: those that arrive within a few turns of the event loop, or while other
 * statements run. Uses no timer. Each item gets its own result or error.
 */
export class Batcher<T, R> {
  readonly #run: (items: T[], mode: Mode) => Promise<R[]>
  readonly #concurrency: number
  readonly #keyOf: ((item: T) => unknown) | undefined
  #waiting: Array<Waiting<T, R>> = []
  #underway = 0

  /**
   * @param run runs one atomic statement or transaction, and returns each item's result, in order. If it throws, nothing was done,
   *   or the outcome is unknown
   * @param concurrency maximum number of concurrent statements
   * @param keyOf items with the same key are never in one statement, but can be in concurrent ones
   */
  constructor (
    run: (items: T[], mode: Mode) => Promise<R[]>,
    { concurrency, keyOf }: { concurrency: number, keyOf?: (item: T) => unknown }
  ) {
    this.#run = run
    this.#concurrency = concurrency
    this.#keyOf = keyOf
  }

  /** Runs an item. @throws what `run` throws, and TimeoutError if no statement began within {@link waits} */
  run (item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, since: Date.now(), isHeld: false, resolve, reject })
      queues.add(this)
      this.#next()
    })
  }

  /** When the oldest waiting item arrived, for {@link queueAge}. */
  oldest (): number | undefined {
    return this.#waiting.find(({ isHeld }) => !isHeld)?.since
  }

  #next () {
    if (this.#underway === this.#concurrency || this.#waiting.length === 0) return
    this.#underway++
    this.#gather(this.#waiting.length)
  }

  /** Gathers while every turn of the event loop brings more items. A single one waits for one turn. */
  #gather (before: number) {
    setImmediate(async () => {
      const { length } = this.#waiting
      if (length > before && length < MAX_ITEMS_PER_STATEMENT) return this.#gather(length)
      await this.#settle(this.#take())
      this.#underway--
      this.#next()
    })
  }

  #take (): Array<Waiting<T, R>> {
    const taken: Array<Waiting<T, R>> = []
    const left: Array<Waiting<T, R>> = []
    const keys = new Set<unknown>()
    const latest = Date.now() - waits.queue
    for (const it of this.#waiting) {
      const key = this.#keyOf?.(it.item)
      if (it.since < latest) it.reject(new TimeoutError('Too many statements wait for the database.'))
      else if (key !== undefined && keys.has(key)) left.push({ ...it, isHeld: true })
      else if (taken.length === MAX_ITEMS_PER_STATEMENT) left.push({ ...it, isHeld: false })
      else taken.push(it)
      if (key !== undefined) keys.add(key)
    }
    this.#waiting = left
    if (left.length === 0) queues.delete(this)
    return taken
  }

  async #settle (batch: Array<Waiting<T, R>>): Promise<void> {
    if (batch.length === 0) return
    const error = await this.#attempt(batch, { isShared: batch.length > 1 })
    if (error === undefined) return
    if (batch.length === 1 || !mayRetryAlone(error)) return batch.forEach(({ reject }) => reject(error))
    await this.#runEach(batch, { isShared: true, hasWaited: isLockTimeout(error) })
  }

  /** Runs the items one by one, after one row failed the others, or several rows deadlocked: single rows cannot. */
  async #runEach (batch: Array<Waiting<T, R>>, mode: Mode): Promise<void> {
    let unavailable: unknown
    for (const one of batch) {
      if (one.since < Date.now() - waits.queue) unavailable ??= new TimeoutError('Too many statements wait for the database.')
      if (unavailable !== undefined) {
        one.reject(unavailable)
        continue
      }
      const error = await this.#attempt([one], mode)
      if (error === undefined) continue
      one.reject(error)
      if (isUnavailable(error) && !mayRetryAlone(error)) unavailable = error
    }
  }

  /** Runs a batch. Returns its error. */
  async #attempt (batch: Array<Waiting<T, R>>, mode: Mode): Promise<unknown> {
    try {
      const results = await this.#run(batch.map(({ item }) => item), mode)
      // as: run returns a result for every item.
      batch.forEach(({ resolve }, index) => resolve(results[index] as R))
      return undefined
    } catch (error) {
      return error
    }
  }
}

/** Whether nothing was done, and an item of the batch may succeed alone. */
function mayRetryAlone (error: unknown): boolean {
  return !(error instanceof UnknownOutcomeError) && (isConflict(error) || isLockTimeout(error) || !isUnavailable(error))
}
