import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { isConflict } from './conflict.js'
import { isUnavailable } from './unavailable.js'

/** Questions that share one statement, at most. */
const SIZE = 64

/** How long a question may wait for its statement, in milliseconds: what is left of 3 s after the slowest statement. */
const QUEUE_TIMEOUT_MS = 1_250

/** `isHeld`: another question with its key goes first, however fast the database is. */
interface Waiting<Q, A> { question: Q, since: number, isHeld: boolean, resolve: (answer: A) => void, reject: (error: unknown) => void }

/** The batches of this process in which questions wait. */
const queues = new Set<{ oldest: () => number | undefined }>()

/** How long the question has waited that waits longest for the database, in milliseconds; 0: none waits. */
export function queueAge (): number {
  const times = [...queues].flatMap(queue => queue.oldest() ?? [])
  return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times))
}

/**
 * Lets questions that come at the same time share one statement: those of a few turns of the event loop, and those that
 * come while others are under way. No timer runs. Each gets its own answer, and fails for itself.
 */
export class Batch<Q, A> {
  readonly #run: (questions: Q[]) => Promise<A[]>
  readonly #concurrency: number
  readonly #keyOf: ((question: Q) => unknown) | undefined
  #waiting: Array<Waiting<Q, A>> = []
  #underway = 0

  /**
   * @param run answers each question, in order, in one statement: if it throws, nothing has been done
   * @param concurrency how many statements are under way at once
   * @param keyOf questions with one key are asked one after the other
   */
  constructor (run: (questions: Q[]) => Promise<A[]>, { concurrency, keyOf }: { concurrency: number, keyOf?: (question: Q) => unknown }) {
    this.#run = run
    this.#concurrency = concurrency
    this.#keyOf = keyOf
  }

  /** @throws what `run` throws, and DriverAdapterError after more than a second without its turn */
  ask (question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, since: Date.now(), isHeld: false, resolve, reject })
      queues.add(this)
      this.#next()
    })
  }

  /** When the question came that waits longest, if one waits: for {@link queueAge}. */
  oldest (): number | undefined {
    return this.#waiting.find(({ isHeld }) => !isHeld)?.since
  }

  #next () {
    if (this.#underway === this.#concurrency || this.#waiting.length === 0) return
    this.#underway++
    this.#gather(this.#waiting.length)
  }

  /** Goes on as long as every turn of the event loop brings more: one who is alone waits for one turn. */
  #gather (before: number) {
    setImmediate(async () => {
      const { length } = this.#waiting
      if (length > before && length < SIZE) return this.#gather(length)
      await this.#answer(this.#take())
      this.#underway--
      this.#next()
    })
  }

  #take (): Array<Waiting<Q, A>> {
    const taken: Array<Waiting<Q, A>> = []
    const left: Array<Waiting<Q, A>> = []
    const keys = new Set<unknown>()
    const latest = Date.now() - QUEUE_TIMEOUT_MS
    for (const it of this.#waiting) {
      const key = this.#keyOf?.(it.question)
      if (it.since < latest) it.reject(new DriverAdapterError({ kind: 'SocketTimeout' }))
      else if (key !== undefined && keys.has(key)) left.push({ ...it, isHeld: true })
      else if (taken.length === SIZE) left.push(it)
      else taken.push(it)
      if (key !== undefined) keys.add(key)
    }
    this.#waiting = left
    if (left.length === 0) queues.delete(this)
    return taken
  }

  async #answer (batch: Array<Waiting<Q, A>>): Promise<void> {
    if (batch.length === 0) return
    try {
      const answers = await this.#run(batch.map(({ question }) => question))
      // as: run answers each.
      batch.forEach(({ resolve }, index) => resolve(answers[index] as A))
    } catch (error) {
      if (batch.length === 1 || (isUnavailable(error) && !isConflict(error))) return batch.forEach(({ reject }) => reject(error))
      // One row failed the others, or two statements of several rows stood in each other's way; those of one row cannot.
      for (const one of batch) await this.#answer([one])
    }
  }
}
