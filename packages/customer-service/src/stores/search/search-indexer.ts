import { setTimeout } from 'node:timers/promises'
import { CHANGES_AT_ONCE, type Customers } from '../customers/customer-record.js'

/** How long to wait before it is looked again what has changed, in milliseconds. */
const REST = 1_000

/** How many times as long as it worked it leaves to others, who write; the further it is behind, the less. */
const SHARE = { most: 15, least: 1 }

/** Changes after which it leaves them one time less. */
const HURRY = 1_000

/** Changes at a stretch of which it is told that they are through. */
const WORTH_A_LINE = 10_000

/** What it tells of. */
interface Log {
  info: (members: object, text: string) => void
  warn: (members: object, text: string) => void
}

/**
 * Prepares lists in the background, so that whoever asks for one finds little to wait for. Any number of processes may
 * do so at once, and be ended at any time.
 */
export class Preparation {
  readonly #customers: Pick<Customers, 'prepare'>
  readonly #log: Log
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor (customers: Pick<Customers, 'prepare'>, log: Log) {
    this.#customers = customers
    this.#log = log
  }

  start (): void {
    this.#running = this.#run()
  }

  /** Resolves when nothing is under way any more. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run () {
    const { signal } = this.#stopping
    let [prepared, failing] = [0, false]
    while (!signal.aborted) {
      const begin = Date.now()
      try {
        const count = await this.#customers.prepare()
        const isThrough = count < CHANGES_AT_ONCE
        prepared = isThrough ? this.#tell(prepared) : prepared + count
        failing = false
        const share = Math.max(SHARE.least, SHARE.most - Math.floor(prepared / HURRY))
        await setTimeout(isThrough ? REST : share * (Date.now() - begin), undefined, { signal, ref: false }).catch(() => undefined)
      } catch (err) {
        if (!failing) this.#log.warn({ err }, 'lists cannot be prepared; it is tried again each second')
        failing = true
        await setTimeout(REST, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }

  /** What took a while is worth a line. */
  #tell (prepared: number): 0 {
    if (prepared >= WORTH_A_LINE) this.#log.info({ prepared }, 'lists know all customers now')
    return 0
  }
}
