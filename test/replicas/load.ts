import { setTimeout } from 'node:timers/promises'
import { authorizationUrl, Person } from '../person.js'
import type { Stack } from '../stack.js'
import { Ledger } from './ledger.js'

/** Something that was not as it should be: an answer with another status, or none (0). */
export interface Complaint { at: number, what: string, status: number }

const PATH = '/rest/qa/customer'

/** People who sign in, and writers who register, move, read and remove customers with the newest token, all the time. */
export class Load {
  readonly ledger = new Ledger()
  readonly complaints: Complaint[] = []
  /** Access tokens, oldest first. */
  readonly tokens: string[] = []
  requests = 0
  readonly #stack: Stack
  #working: Array<Promise<void>> = []
  #stopped = false

  constructor (stack: Stack) {
    this.#stack = stack
  }

  /** Begins; resolves when there is a token. */
  async start ({ people, writers }: { people: number, writers: number }): Promise<void> {
    const persons = Array.from({ length: people }, () => new Person(this.#stack))
    for (const person of persons) await this.#token(person, { username: 'demo', password: 'demo' })
    this.#working = [
      ...persons.map(person => this.#repeat(() => this.#token(person))),
      ...Array.from({ length: writers }, () => this.#repeat(() => this.#write()))
    ]
  }

  async stop (): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#working)
  }

  /** Asks with a token, the newest unless told otherwise. Gives the status, 0 if there was no answer. */
  async ask (method: string, path: string, { form, token = this.tokens.at(-1)! }: { form?: Record<string, string>, token?: string } = {}) {
    this.requests++
    const body = form === undefined ? null : new URLSearchParams(form)
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    return await fetch(this.#stack.address('customer-service') + path, { method, headers, body })
      .then(async answer => ({ status: answer.status, text: await answer.text() }), () => ({ status: 0, text: '' }))
  }

  async #repeat (work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      await work()
      await setTimeout(20)
    }
  }

  async #token (person: Person, credentials?: { username: string, password: string }): Promise<void> {
    this.requests++
    try {
      const location = await person.allow(authorizationUrl(this.#stack), credentials)
      this.tokens.push(new URL(location).hash.slice('#access_token='.length).split('&', 1)[0]!)
    } catch (error) {
      const status = error instanceof Error ? Number(/(?:answered|page,) (\d{3})/.exec(error.message)?.[1] ?? 0) : 0
      this.#complain(`token: ${error instanceof Error ? error.message.slice(0, 80) : error}`, status)
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

  async #change (id: number, method: string, path: string, status: number, is: string | null, form?: Record<string, string>): Promise<boolean> {
    const done = await this.#expect(method, path, status, form)
    this.ledger.note(id, is, done)
    return done
  }

  async #expect (method: string, path: string, status: number, form?: Record<string, string>): Promise<boolean> {
    const answer = await this.ask(method, path, form === undefined ? {} : { form })
    if (answer.status === status) return true
    this.#complain(`${method} ${path}: ${answer.text.slice(0, 200)}`, answer.status)
    return false
  }

  #complain (what: string, status: number): void {
    this.complaints.push({ at: Date.now(), what, status })
  }
}
