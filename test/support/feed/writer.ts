import { setTimeout } from 'node:timers/promises'

/** What a customer's events must be: kind and version of each change. */
export interface Expected {
  /** Those that were answered with success, in their order. */
  readonly answered: string[]
  /** One that came last and was not answered: it was made or not. */
  unanswered?: string
}

/** How long a request may take, in milliseconds. */
const TIMEOUT_MS = 5_000

/** How many changes are made of a customer, from its registration to its removal. */
const CHANGES = 6

/** Registers, changes and removes customers of its own, one after the other, at replicas in turn. */
export class Writer {
  /** By customer. */
  readonly expected = new Map<number, Expected>()
  answered = 0
  unanswered = 0
  readonly #urls: readonly string[]
  #next: number
  #isStopped = false
  #running: Promise<void> | undefined

  /** @param first its first customer; it never comes to the first one of another writer */
  constructor (urls: readonly string[], first: number) {
    this.#urls = urls
    this.#next = first
  }

  start (): void {
    this.#running = this.#run()
  }

  async stop (): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run () {
    while (!this.#isStopped) {
      const id = this.#next++
      const expected: Expected = { answered: [] }
      this.expected.set(id, expected)
      for (let change = 0, version = 0; change < CHANGES && !this.#isStopped; change++) {
        const kind = change === 0 ? 'registered' : change === CHANGES - 1 ? 'removed' : 'updated'
        const answer = await this.#send(id, kind, change).catch(() => null)
        // The version of a new customer comes with its ETag only.
        if (kind === 'registered') version = Number(/\d+/.exec(answer?.headers.get('etag') ?? '')?.[0])
        else if (kind === 'updated') version++
        const event = `${kind} ${version}`
        if (answer?.ok !== true) {
          this.unanswered++
          expected.unanswered = kind
          await setTimeout(20)
          break
        }
        this.answered++
        expected.answered.push(event)
      }
    }
  }

  async #send (id: number, kind: string, change: number): Promise<Response> {
    const home = `${this.#urls[(id + change) % this.#urls.length]}/rest/qa/customer`
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const form = { customername: `name ${id}`, customerage: '33', customeraddress: `address ${change}` }
    if (kind === 'registered') return await fetch(home, { method: 'POST', body: new URLSearchParams({ customerid: `${id}`, ...form }), signal })
    if (kind === 'removed') return await fetch(`${home}/${id}`, { method: 'DELETE', signal })
    return await fetch(`${home}/${id}`, { method: 'PATCH', body: new URLSearchParams({ customeraddress: form.customeraddress }), signal })
  }
}
