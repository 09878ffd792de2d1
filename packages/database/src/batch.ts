import { isConflict, isLockTimeout } from './conflict.js'
import { UnknownOutcome } from './steps.js'
import { TimeoutError, isUnavailable } from './unavailable.js'
import { waits } from './waits.js'

/** Maximum number of questions that share one statement. */
const MAX_ITEMS_PER_STATEMENT = 64

/** `isHeld`: waits for another question with the same key, not for the database. */
interface Waiting<Q, A> { question: Q, since: number, isHeld: boolean, resolve: (answer: A) => void, reject: (error: unknown) => void }

/** How a batch is to be run. */
interface Mode {
  /** Whether other questions wait for this statement: then it must not wait for a locked row for long. */
  readonly isShared: boolean
}

/** The batches of this process that have waiting questions. */
const queues = new Set<{ oldest: () => number | undefined }>()

/** Age of the oldest question that waits for the database, in milliseconds; 0 if none waits. */
export function queueAge (): number {
  const times = [...queues].flatMap(queue => queue.oldest() ?? [])
  return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times))
}

/**
 * Batches concurrent questions into one statement: those that arrive within a few turns of the event loop, or while other
 * statements run. Uses no timer. Each item gets its own result or error.
 */
export class Batcher<Q, A> {
  readonly #run: (questions: Q[], mode: Mode) => Promise<A[]>
  readonly #concurrency: number
  readonly #keyOf: ((question: Q) => unknown) | undefined
  #waiting: Array<Waiting<Q, A>> = []
  #underway = 0

  /**
   * @param run returns each item's result, in order, in one atomic statement or transaction: if it throws, nothing has been done,
   *   or its outcome is unknown
   * @param concurrency maximum number of concurrent statements
   * @param keyOf questions with the same key are never in one statement; two statements that run at once may have one each
   */
  constructor (
    run: (questions: Q[], mode: Mode) => Promise<A[]>,
    { concurrency, keyOf }: { concurrency: number, keyOf?: (question: Q) => unknown }
  ) {
    this.#run = run
    this.#concurrency = concurrency
    this.#keyOf = keyOf
  }

  /** @throws what `run` throws, and TimeoutError if no statement began within {@link waits} */
  run (question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, since: Date.now(), isHeld: false, resolve, reject })
      queues.add(this)
      this.#next()
    })
  }

  /** When the oldest waiting question arrived, if one waits: for {@link queueAge}. */
  oldest (): number | undefined {
    return this.#waiting.find(({ isHeld }) => !isHeld)?.since
  }

  #next () {
    if (this.#underway === this.#concurrency || this.#waiting.length === 0) return
    this.#underway++
    this.#gather(this.#waiting.length)
  }

  /** Gathers as long as every turn of the event loop brings more questions: a single one waits for one turn. */
  #gather (before: number) {
    setImmediate(async () => {
      const { length } = this.#waiting
      if (length > before && length < MAX_ITEMS_PER_STATEMENT) return this.#gather(length)
      await this.#answer(this.#take())
      this.#underway--
      this.#next()
    })
  }

  #take (): Array<Waiting<Q, A>> {
    const taken: Array<Waiting<Q, A>> = []
    const left: Array<Waiting<Q, A>> = []
    const keys = new Set<unknown>()
    const latest = Date.now() - waits.queue
    for (const it of this.#waiting) {
      const key = this.#keyOf?.(it.question)
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

  async #answer (batch: Array<Waiting<Q, A>>): Promise<void> {
    if (batch.length === 0) return
    const error = await this.#attempt(batch, { isShared: batch.length > 1 })
    if (error === undefined) return
    if (batch.length === 1 || !mayRetryAlone(error)) return batch.forEach(({ reject }) => reject(error))
    await this.#answerAlone(batch)
  }

  /** One by one, because one row failed the others, or statements of several rows deadlocked. Those of one row cannot deadlock. */
  async #answerAlone (batch: Array<Waiting<Q, A>>): Promise<void> {
    let unavailable: unknown
    for (const one of batch) {
      if (one.since < Date.now() - waits.queue) unavailable ??= new TimeoutError('Too many statements wait for the database.')
      if (unavailable !== undefined) {
        one.reject(unavailable)
        continue
      }
      const error = await this.#attempt([one], { isShared: true })
      if (error === undefined) continue
      one.reject(error)
      if (isUnavailable(error) && !mayRetryAlone(error)) unavailable = error
    }
  }

  /** Answers a batch. Returns the error that it failed with. */
  async #attempt (batch: Array<Waiting<Q, A>>, mode: Mode): Promise<unknown> {
    try {
      const answers = await this.#run(batch.map(({ question }) => question), mode)
      // as: run returns a result for every item.
      batch.forEach(({ resolve }, index) => resolve(answers[index] as A))
      return undefined
    } catch (error) {
      return error
    }
  }
}

/** Whether nothing was done, and a question of the batch may succeed alone. */
function mayRetryAlone (error: unknown): boolean {
  return !(error instanceof UnknownOutcome) && (isConflict(error) || isLockTimeout(error) || !isUnavailable(error))
}
