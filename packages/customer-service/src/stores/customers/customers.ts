import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'
import { databaseUnavailable } from '../../problems/service.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { firstVersion, normalizeName, type Change, type CustomerRecord, type NewCustomer } from './customer-record.js'
import { makeErase, type Erased } from './erase.js'
import { makeMerge, type Merge, type Merged } from './merge.js'
import { makeRestore, type Restored } from './restore.js'
import { batchInserts, batchRemovals, makeAddressChange, makeFind, makeRemoval, makeUpdate } from './statements.js'

/** Attempts to change a customer that other callers change at the same time. */
const MAX_TRIES = 5

/** Why no customer was changed. */
export type Mismatch =
  | { outcome: 'unknown' | 'version differs' | 'name differs' }
  /** `ids` are the lowest ten. */
  | { outcome: 'ambiguous', total: number, ids: number[] }

/** Selects a customer by name; `id` selects one of several. */
interface Target { name: string, id?: number, versions: Versions }

/**
 * The customers. Each method is atomic: one conditional statement. When a promise resolves, the change and its record are
 * committed.
 * @throws what the database throws, within 3 s; a write might have been committed
 * @throws ProblemError `database-unavailable` if other callers keep changing the same customer
 */
export interface Customers {
  /** Adds a customer; resolves to its version, or to `null` if the id is already in use. */
  register (customer: NewCustomer, actor: Actor): Promise<number | null>
  find (id: number): Promise<CustomerRecord | null>
  /** Changes the address of the only customer with a name (in Unicode NFC). */
  changeAddress (target: Target, address: string, actor: Actor): Promise<{ outcome: 'changed', id: number } | Mismatch>
  /** Changes a customer that has one of the versions. */
  change (id: number, change: Change, versions: Versions, actor: Actor): Promise<{ outcome: 'changed' | 'unknown' | 'version differs' }>
  /** Removes a customer; the id can be reused immediately. */
  remove (id: number, versions: Versions, actor: Actor): Promise<{ outcome: 'removed' | 'unknown' | 'version differs' }>
  /** Removes all data about a customer, including a removed one. */
  erase (id: number, versions: Versions, actor: Actor): Promise<Erased | { outcome: 'unknown' | 'version differs' }>
  /** Restores a customer's values after a version. Adds a removed customer again, if the number is free. */
  restore (id: number, version: number, versions: Versions | 'removed', actor: Actor): Promise<Restored>
  /** Merges a customer into another one, which stays. */
  merge (merge: Merge, actor: Actor): Promise<Merged>
}

/** Opens {@link Customers}. Concurrent requests share statements. */
export function openCustomers (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording): Customers {
  const inserts = batchInserts(connection, clock, recording)
  const findById = makeFind(connection)
  const removals = batchRemovals(connection, clock, recording)
  const changeAddressByName = makeAddressChange(connection, clock, recording)
  const update = makeUpdate(connection, clock, recording)
  const removeVersion = makeRemoval(connection, clock, recording)
  const find = (id: number) => findById({ id })

  return {
    async register (customer, actor) {
      const version = firstVersion()
      return await inserts.run({ customer: { ...customer, version }, actor }) ? version : null
    },

    find,

    /** The UPDATE's own condition requires that the name is unique. If it changed no row, a read finds the reason. */
    async changeAddress ({ name, id, versions }, address, actor) {
      const key = normalizeName(name)
      return await retry(async () => {
        if (id !== undefined) {
          const isChanged = await update({ id, key, change: { address }, versions, actor })
          return isChanged ? { outcome: 'changed', id } as const : await findMismatchById(connection, id, key, versions)
        }
        const changed = await changeAddressByName({ key, address, versions, actor })
        return changed === null ? await findMismatchByName(connection, key, versions) : { outcome: 'changed', id: changed } as const
      })
    },

    async change (id, change, versions, actor) {
      return await retry(async () => await update({ id, change, versions, actor })
        ? { outcome: 'changed' } as const
        : await findMismatch(id, versions))
    },

    async remove (id, versions, actor) {
      if (versions === 'any') return { outcome: await removals.run({ id, actor }) ? 'removed' : 'unknown' }
      return await retry(async () => await removeVersion(id, versions, actor)
        ? { outcome: 'removed' } as const
        : await findMismatch(id, versions))
    },

    erase: makeErase(connection, clock, recording),

    restore: makeRestore(connection, clock, recording),

    merge: makeMerge(connection, clock, recording)
  }

  async function findMismatch (id: number, versions: Versions) {
    const found = await find(id)
    if (found === null) return { outcome: 'unknown' } as const
    return includes(versions, found.version) ? null : { outcome: 'version differs' } as const
  }
}

/** Retries while `work` neither succeeds nor finds a reason: another caller removed it between the write and the read. */
async function retry<R> (work: () => Promise<R | null>): Promise<R> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await work()
    if (result !== null) return result
  }
  throw databaseUnavailable('This customer is being changed too often. Try again in a moment.')
}

/** Finds why no customer with a name was changed; `null` if the reason is gone. */
async function findMismatchByName (connection: Connection, nameKey: string, versions: Versions): Promise<Mismatch | null> {
  const namesakes = await query(connection, { ...pick(customer, 'id', 'version'), total: 'int' }, sql`
    SELECT id, version, (SELECT COUNT(*) FROM customer WHERE name_key = ${nameKey}) FROM customer
    WHERE name_key = ${nameKey} ORDER BY id LIMIT 10`)
  const [first, second] = namesakes
  if (first === undefined) return { outcome: 'unknown' }
  if (second === undefined) return includes(versions, first.version) ? null : { outcome: 'version differs' }
  return { outcome: 'ambiguous', total: first.total, ids: namesakes.map(({ id }) => id) }
}

/** Finds why a customer with a number and a name was not changed; `null` if the reason is gone. */
async function findMismatchById (connection: Connection, id: number, nameKey: string, versions: Versions): Promise<Mismatch | null> {
  const [found] = await query(connection, pick(customer, 'nameKey', 'version'), sql`
    SELECT name_key, version FROM customer WHERE id = ${id}`)
  if (found === undefined) return { outcome: 'unknown' }
  if (found.nameKey !== nameKey) return { outcome: 'name differs' }
  return includes(versions, found.version) ? null : { outcome: 'version differs' }
}

function includes (versions: Versions, version: number): boolean {
  return versions === 'any' || versions.includes(version)
}
