import { setTimeout } from 'node:timers/promises'
import { isRefusal } from '../faults/workload.js'
import type { Operation, State } from './linearizability.js'
import { isUnknown } from './linearizability.js'

const PATH = '/rest/qa/customer'

/** How many customers are worked on at a time; fewer than clients, so that these meet. */
const CUSTOMERS = 4

/** After how many operations, or operations of unknown outcome, no more are done with a customer. Each costs the checker time. */
const OPERATIONS = 60
const UNKNOWNS = 4

/** Pauses after an answer and after a refusal, in milliseconds. */
const PAUSE = 10
const PAUSE_AFTER_REFUSAL = 100

/** A customer and all that was done with it. */
export interface History { id: number, operations: Operation[] }

/** A customer that is worked on. */
interface Customer extends History {
  /** What a read found, for writes with If-Match. */
  seen?: { address: State, etag: string }
  unknowns: number
}

/** A request, and what it is in the history. */
type Request = Pick<Operation, 'kind' | 'address' | 'from'> & { method: string, path: string, headers?: Record<string, string>, form?: Record<string, string> }

/** Clients that add, read, change and remove the same few customers all the time, and record how that was answered. */
export class Clients {
  readonly histories: History[] = []
  /** Answers that no client may get: neither an answer nor a timely 503 with Retry-After. */
  readonly wrong: string[] = []
  /** The writes that were acknowledged. */
  readonly acknowledged: Operation[] = []
  /** Longest time until a refusal, in milliseconds. */
  slowest = 0
  readonly #address: string
  readonly #token: () => string
  readonly #customers: Customer[] = []
  #working: Array<Promise<void>> = []
  #stopped = false
  #addresses = 0

  /** @param address of customer-service */
  constructor (address: string, token: () => string) {
    this.#address = address
    this.#token = token
    for (let count = 0; count < CUSTOMERS; count++) this.#customers.push(this.#newCustomer())
  }

  start (clients: number): void {
    this.#working = Array.from({ length: clients }, () => this.#work())
  }

  async stop (): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#working)
  }

  /** Reads a customer once more, after all else. */
  async readLast ({ id }: History): Promise<Operation> {
    return await this.#send(read(id), () => {})
  }

  #newCustomer (): Customer {
    const customer: Customer = { id: this.histories.length + 1, operations: [], unknowns: 0 }
    this.histories.push(customer)
    return customer
  }

  async #work (): Promise<void> {
    while (!this.#stopped) {
      const place = Math.floor(Math.random() * CUSTOMERS)
      // as: there are that many.
      const customer = this.#customers[place] as Customer
      const operation = await this.#send(this.#choose(customer), etag => {
        customer.seen = etag
      })
      customer.operations.push(operation)
      const refused = isUnknown(operation)
      if (refused) customer.unknowns++
      else if (operation.kind !== 'read' && operation.status < 300) this.acknowledged.push(operation)
      const isUsed = customer.operations.length >= OPERATIONS || customer.unknowns >= UNKNOWNS
      if (isUsed && this.#customers[place] === customer) this.#customers[place] = this.#newCustomer()
      await setTimeout(refused ? PAUSE_AFTER_REFUSAL : PAUSE)
    }
  }

  /** Any operation; the first one adds the customer. */
  #choose ({ id, operations, seen }: Customer): Request {
    const address = `address ${++this.#addresses}`
    const form = { customeraddress: address }
    const change = { kind: 'change', address, method: 'PATCH', path: `${PATH}/${id}`, form } as const
    const dice = operations.length === 0 ? 0 : Math.random()
    if (dice < 0.2) {
      const customer = { customerid: `${id}`, customername: nameOf(id), customerage: '1', ...form }
      return { kind: 'register', address, method: 'POST', path: PATH, form: customer }
    }
    if (dice < 0.35) return change
    if (dice < 0.5) return seen === undefined ? change : { ...change, from: seen.address, headers: { 'if-match': seen.etag } }
    if (dice < 0.65) return { ...change, method: 'PUT', path: PATH, form: { customername: nameOf(id), ...form } }
    if (dice < 0.75) return { kind: 'remove', address: null, method: 'DELETE', path: `${PATH}/${id}` }
    return read(id)
  }

  async #send (request: Request, onRead: (seen: { address: State, etag: string }) => void): Promise<Operation> {
    const { method, path, headers, form, ...what } = request
    const sent = performance.now()
    let [status, retryAfter, etag, text]: [number, string | null, string | null, string] = [0, null, null, '']
    try {
      const answer = await fetch(this.#address + path, {
        method,
        headers: { authorization: `Bearer ${this.#token()}`, accept: 'application/json', ...headers },
        body: form === undefined ? null : new URLSearchParams(form)
      })
      text = await answer.text()
      // Only a whole answer is one.
      ;[status, retryAfter, etag] = [answer.status, answer.headers.get('retry-after'), answer.headers.get('etag')]
    } catch (error) {
      // as: fetch throws errors.
      text = String((error as Error).cause ?? error)
    }
    const answered = performance.now()
    this.#judge(`${method} ${path}: ${status} after ${Math.round(answered - sent)} ms. ${text}`, { status, retryAfter, ms: answered - sent })
    if (what.kind !== 'read' || status !== 200) return { ...what, status, sent, answered }
    // as: a customer as JSON has an address.
    const address = (JSON.parse(text) as { customeraddress: string }).customeraddress
    if (etag !== null) onRead({ address, etag })
    return { ...what, address, status, sent, answered }
  }

  #judge (sentence: string, { status, retryAfter, ms }: { status: number, retryAfter: string | null, ms: number }): void {
    if (status === 503) this.slowest = Math.max(this.slowest, ms)
    if ((status === 0 || status >= 500) && !isRefusal({ status, retryAfter, ms })) this.wrong.push(sentence)
  }
}

function read (id: number): Request {
  return { kind: 'read', address: null, method: 'GET', path: `${PATH}/${id}` }
}

function nameOf (id: number): string {
  return `customer ${id}`
}
