import { setTimeout } from 'node:timers/promises'
import { authorizationUrl, Person, timed, type Answer } from '../person.js'
import type { Stack } from '../stack.js'
import { Ledger } from './ledger.js'

/** Something that was not as it should be: an answer with another status, or none (0). */
export type Complaint = Answer

const PATH = '/rest/qa/customer'

/** How long a request is sent again that the service was too busy for, in milliseconds. */
const PATIENCE = 60_000

/** People who sign in, and writers who register, move, read and remove customers with the newest token, all the time. */
export class Load {
  readonly ledger: Ledger
  readonly complaints: Complaint[] = []
  /** Access tokens, oldest first. */
  readonly tokens: string[] = []
  /** Every answer. */
  readonly answers: Answer[] = []
  /** How long each of them rests after a piece of work, in milliseconds. */
  pause: number
  readonly #stack: Stack
  #working: Array<Promise<void>> = []
  #stopped = false

  /**
   * @param ledger to go on with, where there was load before
   * @param pause see {@link Load.pause}
   */
  constructor (stack: Stack, ledger = new Ledger(), pause = 60) {
    this.#stack = stack
    this.pause = pause
    this.ledger = ledger
  }

  /** Begins; resolves when there is a token. */
  async start ({ people, writers }: { people: number, writers: number }): Promise<void> {
    const persons = Array.from({ length: people }, () => {
      const mine: Answer[] = []
      return { mine, person: new Person(this.#stack, answer => { mine[0] = this.#note(answer) }) }
    })
    for (const { person, mine } of persons) await this.#token(person, mine, { username: 'demo', password: 'demo' })
    this.#working = [
      ...persons.map(({ person, mine }) => this.#repeat(() => this.#token(person, mine))),
      ...Array.from({ length: writers }, () => this.#repeat(() => this.#write()))
    ]
  }

  async stop (): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#working)
  }

  /** Sends a request with a token, by default the newest, again while a machine that is too busy makes the service refuse it. */
  async ask (method: string, path: string, options: { form?: Record<string, string>, token?: string } = {}) {
    const until = Date.now() + PATIENCE
    for (;;) {
      const answer = await this.#send(method, path, options)
      if (!isOverload(answer.text) || Date.now() > until) return answer
      await setTimeout(Number(answer.retryAfter) * 1_000)
    }
  }

  async #send (method: string, path: string, { form, token = this.tokens.at(-1)! }: { form?: Record<string, string>, token?: string }) {
    const body = form === undefined ? null : new URLSearchParams(form)
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    let answer: Answer | undefined
    const text = await timed(this.#stack.address('customer-service') + path, { method, headers, body }, it => { answer = this.#note(it) })
      .then(response => response.text()).catch(error => `${error.cause ?? error}`)
    return { ...answer!, text }
  }

  async #repeat (work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      const { length } = this.complaints
      await work()
      await setTimeout(this.complaints.length > length ? 100 : this.pause)
    }
  }

  /** @param mine holds the last answer that this person had */
  async #token (person: Person, mine: Answer[], credentials?: { username: string, password: string }): Promise<void> {
    try {
      const location = await person.allow(authorizationUrl(this.#stack), credentials)
      this.tokens.push(new URL(location).hash.slice('#access_token='.length).split('&', 1)[0]!)
    } catch (error) {
      const last = mine[0]!
      const why = error instanceof Error ? error.message : String(error)
      if (isOverload(why)) return
      // A refusal, or an answer that broke off.
      this.complaints.push({
        ...last,
        status: last.status < 400 ? 0 : last.status,
        what: `token: ${why.slice(0, 80)}`
      })
    }
  }

  /** The life of a customer, until something is not answered as it should be. */
  async #write (): Promise<void> {
    const id = this.ledger.newId()
    const name = `customer ${id}`
    const one = `${PATH}/${id}`
    const register = { customerid: `${id}`, customername: name, customerage: '1', customeraddress: 'first' }
    if (!await this.#change(id, 'POST', PATH, 201, 'first', register)) return
    if (id % 2 === 0 && !await this.#change(id, 'PUT', PATH, 204, 'second', { customername: name, customeraddress: 'second' })) return
    if (!await this.#expect('GET', one, 200)) return
    if (id % 5 === 0 && await this.#change(id, 'DELETE', one, 204, null)) await this.#expect('GET', one, 404)
  }

  async #change (
    id: number,
    method: string,
    path: string,
    status: number,
    is: string | null,
    form?: Record<string, string>
  ): Promise<boolean> {
    const done = await this.#expect(method, path, status, form)
    this.ledger.note(id, is, done)
    return done
  }

  async #expect (method: string, path: string, status: number, form?: Record<string, string>): Promise<boolean> {
    const answer = await this.ask(method, path, form === undefined ? {} : { form })
    if (answer.status === status) return true
    const { text, ...complaint } = answer
    this.complaints.push({ ...complaint, what: `${method} ${path}: ${text.slice(0, 200)}` })
    return false
  }

  #note (answer: Answer): Answer {
    this.answers.push(answer)
    return answer
  }
}

/** Whether an answer says that the service is too busy, as each of the two says it. */
function isOverload (text: string): boolean {
  return text.includes('/problems/service-overloaded') || text.includes('This server is receiving too many requests right now.')
}
