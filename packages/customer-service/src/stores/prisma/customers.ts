import { randomInt } from 'node:crypto'
import type { Versions } from '../../input/etag.js'
import { databaseUnavailable } from '../../problems/service.js'
import type { CustomerRecord, Customers, Refusal, Target } from '../customers.js'
import { Prisma, type PrismaClient } from './generated/sqlite/client.js'

const { empty, join, sql } = Prisma

/** How often a change is tried while others change the same customer in between. */
const ATTEMPTS = 5

const columns = { id: true, name: true, age: true, address: true, version: true } as const

/** The register in SQL that SQLite and PostgreSQL both speak. */
export class PrismaCustomers implements Customers {
  readonly #db: PrismaClient

  constructor (db: PrismaClient) {
    this.#db = db
  }

  async register ({ id, name, age, address }: Omit<CustomerRecord, 'version'>) {
    // Below 2³⁰, to leave room for as many changes in a 32-bit column.
    const version = randomInt(2 ** 30)
    const now = new Date()
    const count = await this.#db.$executeRaw`
      INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at)
      VALUES (${id}, ${name}, ${keyOf(name)}, ${age}, ${address}, ${version}, ${now}, ${now})
      ON CONFLICT (id) DO NOTHING`
    return count === 1 ? version : null
  }

  async find (id: number) {
    return await this.#db.customer.findUnique({ where: { id }, select: columns })
  }

  /**
   * One UPDATE whose own condition says that the name is nobody else's: it changes one row or none, and no
   * transaction has to stay open to take a second one back. Only when it changed none, a read says why.
   */
  async move ({ name, id, versions }: Target, address: string) {
    const key = keyOf(name)
    const which = id === undefined
      ? sql`(SELECT COUNT(*) FROM (SELECT 1 FROM customer WHERE name_key = ${key} LIMIT 2) AS namesake) = 1`
      : sql`id = ${id}`
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const count = await this.#db.$executeRaw`
        UPDATE customer SET address = ${address}, version = version + 1, updated_at = ${new Date()}
        WHERE name_key = ${key} AND ${which} ${isOneOf(versions)}`
      if (count === 1) return { outcome: 'moved' } as const
      const refusal = id === undefined ? await this.#whyNotByName(key, versions) : await this.#whyNotById(id, key, versions)
      if (refusal !== null) return refusal
      // Between the UPDATE and the read another caller made it possible.
    }
    throw tooBusy()
  }

  async remove (id: number, versions: Versions) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { count } = await this.#db.customer.deleteMany({ where: { id, ...(versions === 'any' ? {} : { version: { in: versions } }) } })
      if (count === 1) return { outcome: 'removed' } as const
      const found = await this.find(id)
      if (found === null) return { outcome: 'unknown' } as const
      if (!includes(versions, found.version)) return { outcome: 'version differs' } as const
    }
    throw tooBusy()
  }

  async ping () {
    await this.#db.customer.findFirst({ select: { id: true } })
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

function tooBusy () {
  return databaseUnavailable('Others keep changing this customer. Try again in a moment.')
}

function keyOf (name: string) {
  return name.normalize('NFC')
}

function isOneOf (versions: Versions) {
  if (versions === 'any') return empty
  return versions.length === 0 ? sql`AND 1 = 0` : sql`AND version IN (${join(versions)})`
}

function includes (versions: Versions, version: number) {
  return versions === 'any' || versions.includes(version)
}
