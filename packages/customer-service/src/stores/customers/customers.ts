import { randomInt } from 'node:crypto'
import type { Versions } from '../../input/etag.js'
import { databaseUnavailable } from '../../problems/service.js'
import type { Filters, ListQuery } from '../search/query.js'
import type { Attempt, Change, CustomerRecord, Customers, Refusal, Target } from './customer-record.js'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { Prisma, type PrismaClient } from '../../generated/sqlite/client.js'
import { changes } from './changes.js'
import { forgetAttempts } from '../idempotency/forget-attempts.js'
import { Listing } from '../search/search-index.js'
import { Lists } from '../search/search.js'
import { registerOnce } from '../idempotency/idempotency.js'
import { keyOf, moves, reads, registrations, removals } from './statements.js'

const { empty, join, sql } = Prisma

/** How often a change is tried while others change the same customer in between. */
const ATTEMPTS = 5

/** The register in SQL that SQLite and PostgreSQL both speak. What comes often and at once shares statements. */
export class PrismaCustomers implements Customers {
  readonly #db: PrismaClient
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #registrations
  readonly #registerOnce
  readonly #forgetAttempts
  readonly #reads
  readonly #moves
  readonly #change
  readonly #removals
  readonly #listing
  readonly #lists

  constructor (db: PrismaClient, connection: Connection, clock: Clock) {
    this.#db = db
    this.#connection = connection
    this.#clock = clock
    this.#registrations = registrations(connection, clock)
    this.#registerOnce = registerOnce(connection, clock)
    this.#forgetAttempts = forgetAttempts(connection, clock)
    this.#reads = reads(connection)
    this.#moves = moves(connection, clock)
    this.#change = changes(connection, clock)
    this.#removals = removals(connection)
    this.#listing = new Listing(connection)
    this.#lists = new Lists(connection, () => this.#listing.catchUp())
  }

  async register ({ id, name, age, address }: Omit<CustomerRecord, 'version'>) {
    const version = firstVersion()
    return await this.#registrations.ask({ id, name, age, address, version }) ? version : null
  }

  registerOnce (customer: Omit<CustomerRecord, 'version'>, attempt: Attempt) {
    return this.#registerOnce({ ...customer, version: firstVersion() }, attempt)
  }

  find (id: number) {
    return this.#reads.ask(id)
  }

  /**
   * One UPDATE whose own condition says that the name is nobody else's: it changes one row or none, and no
   * transaction has to stay open to take a second one back. Only when it changed none, a read says why.
   */
  async move ({ name, id, versions }: Target, address: string) {
    const key = keyOf(name)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const moved = id === undefined && versions === 'any' ? await this.#moves.ask({ key, address }) : await this.#moveOne({ key, id, versions }, address)
      if (moved !== null) return { outcome: 'moved', id: moved } as const
      const refusal = id === undefined ? await this.#whyNotByName(key, versions) : await this.#whyNotById(id, key, versions)
      if (refusal !== null) return refusal
      // Between the UPDATE and the read another caller made it possible.
    }
    throw tooBusy()
  }

  async change (id: number, change: Change, versions: Versions) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await this.#change(id, change, versions)) return { outcome: 'changed' } as const
      const refusal = await this.#whyNotOne(id, versions)
      if (refusal !== null) return refusal
    }
    throw tooBusy()
  }

  async remove (id: number, versions: Versions) {
    if (versions === 'any') return { outcome: await this.#removals.ask(id) ? 'removed' : 'unknown' } as const
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { count } = await this.#db.customer.deleteMany({ where: { id, version: { in: versions } } })
      if (count === 1) return { outcome: 'removed' } as const
      const refusal = await this.#whyNotOne(id, versions)
      if (refusal !== null) return refusal
    }
    throw tooBusy()
  }

  forgetAttempts (caller: string, until?: Date) {
    return this.#forgetAttempts(caller, until)
  }

  list (query: ListQuery) {
    return this.#lists.page(query)
  }

  count (filters: Filters) {
    return this.#lists.count(filters)
  }

  prepare () {
    return this.#listing.prepare()
  }

  /** Not by Prisma's client, which takes 40 MB when it is first asked. */
  async ping () {
    await this.#connection.run({ sql: 'SELECT id FROM customer LIMIT 1', args: [], argTypes: [] })
    return this.#connection.whyLost() ?? 'ok'
  }

  async #moveOne ({ key, id, versions }: { key: string, id: number | undefined, versions: Versions }, address: string): Promise<number | null> {
    const which = id === undefined
      ? sql`(SELECT COUNT(*) FROM (SELECT 1 FROM customer WHERE name_key = ${key} LIMIT 2) AS namesake) = 1`
      : sql`id = ${id}`
    const [row] = await this.#db.$queryRaw<Array<{ id: number }>>`
      UPDATE customer SET address = ${address}, version = version + 1, updated_at = ${this.#clock.now()}
      WHERE name_key = ${key} AND ${which} ${isOneOf(versions)} RETURNING id`
    return row?.id ?? null
  }

  async #whyNotOne (id: number, versions: Versions) {
    const found = await this.find(id)
    if (found === null) return { outcome: 'unknown' } as const
    return includes(versions, found.version) ? null : { outcome: 'version differs' } as const
  }

  async #whyNotByName (nameKey: string, versions: Versions): Promise<Refusal | null> {
    const namesakes = await this.#db.customer.findMany({ where: { nameKey }, select: { id: true, version: true }, orderBy: { id: 'asc' }, take: 10 })
    const [first, second] = namesakes
    if (first === undefined) return { outcome: 'unknown' }
    if (second === undefined) return includes(versions, first.version) ? null : { outcome: 'version differs' }
    const total = await this.#db.customer.count({ where: { nameKey } })
    return { outcome: 'ambiguous', total: Math.max(total, namesakes.length), ids: namesakes.map(({ id }) => id) }
  }

  async #whyNotById (id: number, nameKey: string, versions: Versions): Promise<Refusal | null> {
    const found = await this.#db.customer.findUnique({ where: { id }, select: { nameKey: true, version: true } })
    if (found === null) return { outcome: 'unknown' }
    if (found.nameKey !== nameKey) return { outcome: 'name differs' }
    return includes(versions, found.version) ? null : { outcome: 'version differs' }
  }
}

/** Below 2³⁰, to leave room for as many changes in a 32-bit column. */
function firstVersion () {
  return randomInt(2 ** 30)
}

function tooBusy () {
  return databaseUnavailable('Others keep changing this customer. Try again in a moment.')
}

function isOneOf (versions: Versions) {
  if (versions === 'any') return empty
  return versions.length === 0 ? sql`AND 1 = 0` : sql`AND version IN (${join(versions)})`
}

function includes (versions: Versions, version: number) {
  return versions === 'any' || versions.includes(version)
}
