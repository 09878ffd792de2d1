import { Batch } from '@frontdesk/database/batch'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import type { Recorded, Recording } from '../changes/recording.js'
import { foldName, foldWords } from '../search/fold.js'
import type { Change, CustomerRecord } from './customer-record.js'

type Now = Pick<Clock, 'now'>

/** A new address for the only customer with a name. */
export interface Move { key: string, address: string, versions: Versions, actor: Actor }

/** A change of a customer. */
export interface Update { id: number, change: Change, versions: Versions, actor: Actor, key?: string }

/** The name as PUT compares it: Unicode NFC. */
export function keyOf (name: string): string {
  return name.normalize('NFC')
}

/** Inserts the customers whose ids are free; returns these ids. @param kind of the changes */
export function insertStatement (recording: Recording, kind?: 'restored'): Recorded<{ id: 'int' }> {
  return recording.insert({
    write: list => `
      INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at, name_fold, name_words, address_words) ${list}
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    types: ['int', 'string', 'string', 'int', 'string', 'int', 'datetime', 'datetime', 'string', 'string', 'string'],
    columns: { id: 'int' }
  }, kind)
}

/** Values of a row for {@link insertStatement}. */
export function valuesOf ({ id, name, age, address, version }: CustomerRecord, now: Date) {
  return [id, name, keyOf(name), age, address, version, now, now, foldName(name), foldWords(name), foldWords(address)] as const
}

/** Inserts customers; resolves to whether the id was free. */
export function batchInserts (
  { concurrency }: Connection,
  clock: Now,
  recording: Recording
): Batch<{ customer: CustomerRecord, actor: Actor }, boolean> {
  const statement = insertStatement(recording)
  return new Batch(async additions => {
    const now = clock.now()
    // Sorted: two statements that insert the same ids in different orders would deadlock.
    const sorted = additions.toSorted((one, other) => one.customer.id - other.customer.id)
    const rows = sorted.map(({ customer, actor }) => recording.row(valuesOf(customer, now), now, actor))
    const added = new Set((await statement.run(rows)).map(({ id }) => id))
    return additions.map(({ customer }) => added.has(customer.id))
  }, { concurrency, keyOf: ({ customer }) => customer.id })
}

/** Finds customers by id. */
export function batchReads (connection: Connection): Batch<number, CustomerRecord | null> {
  const statement = new ValuesStatement(
    connection,
    list => `SELECT id, name, age, address, version FROM customer WHERE id IN (${list})`,
    ['int'],
    { id: 'int', name: 'string', age: 'int', address: 'string', version: 'int' }
  )
  return new Batch(async ids => {
    const found = new Map((await statement.run(ids.map(id => [id]))).map(customer => [customer.id, customer]))
    return ids.map(id => found.get(id) ?? null)
  }, connection)
}

/** Changes the address of the only customer with a name, if it has one of the versions; resolves to its id, or to `null`. */
export function makeMove (connection: Connection, clock: Now, recording: Recording): (move: Move) => Promise<number | null> {
  const statement = recording.change({
    kind: "'updated'",
    where: `name_key = change.column1 AND version = COALESCE(change.column2, version)
      AND (SELECT COUNT(*) FROM (SELECT 1 FROM customer AS other WHERE other.name_key = change.column1 LIMIT 2) AS namesake) = 1`,
    after: { name: 'customer.name', age: 'customer.age', address: 'change.column3' },
    write: (changes, where) => `
      UPDATE customer SET address = change.column3, version = customer.version + 1, updated_at = change.column4, address_words = change.column5
      FROM ${changes} WHERE ${where} RETURNING name_key, id`,
    types: ['string', 'int', 'string', 'datetime', 'string'],
    columns: { key: 'string', id: 'int' }
  })
  return share(async moves => {
    const now = clock.now()
    const rows = moves.flatMap(({ key, address, versions, actor }) =>
      rowsOf(versions, version => recording.row([key, version, address, now, foldWords(address)], now, actor)))
    const moved = new Map((await statement.run(rows)).map(({ key, id }) => [key, id]))
    return moves.map(({ key }) => moved.get(key) ?? null)
  }, {
    concurrency: connection.concurrency,
    keyOf: ({ key }) => key,
    none: null,
    isShared: versions => versions === 'any' || onSqlite(connection)
  })
}

/** Changes a customer if it has one of the versions and, if `key` is given, that name; resolves to whether it did. */
export function makeUpdate (connection: Connection, clock: Now, recording: Recording): (update: Update) => Promise<boolean> {
  const after = {
    name: 'COALESCE(change.column4, customer.name)',
    age: 'COALESCE(change.column6, customer.age)',
    address: 'COALESCE(change.column7, customer.address)'
  }
  const statement = recording.change({
    kind: "'updated'",
    where: 'id = change.column1 AND version = COALESCE(change.column2, version) AND name_key = COALESCE(change.column3, name_key)',
    after,
    write: (changes, where) => `
      UPDATE customer SET name = ${after.name}, name_key = COALESCE(change.column5, name_key), age = ${after.age}, address = ${after.address},
        version = customer.version + 1, updated_at = change.column8, name_fold = COALESCE(change.column9, name_fold),
        name_words = COALESCE(change.column10, name_words), address_words = COALESCE(change.column11, address_words)
      FROM ${changes} WHERE ${where} RETURNING customer.id`,
    types: ['int', 'int', 'string', 'string', 'string', 'int', 'string', 'datetime', 'string', 'string', 'string'],
    columns: { id: 'int' }
  })
  return share(async updates => {
    const now = clock.now()
    const rows = updates.flatMap(({ id, versions, actor, key = null, change: { name, age = null, address } }) =>
      rowsOf(versions, version => recording.row([
        id, version, key,
        ...name === undefined ? [null, null] : [name, keyOf(name)], age, address ?? null, now,
        ...name === undefined ? [null, null] : [foldName(name), foldWords(name)], address === undefined ? null : foldWords(address)
      ], now, actor)))
    const changed = new Set((await statement.run(rows)).map(({ id }) => id))
    return updates.map(({ id }) => changed.has(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id, none: false, isShared: () => onSqlite(connection) })
}

/** Removes customers; resolves to whether the customer existed. */
export function batchRemovals (connection: Connection, clock: Now, recording: Recording): Batch<{ id: number, actor: Actor }, boolean> {
  const statement = removal(connection, recording, ['id'])
  return new Batch(async removals => {
    const now = clock.now()
    const removed = new Set((await statement.run(removals.map(({ id, actor }) => recording.row([id], now, actor)))).map(({ id }) => id))
    return removals.map(({ id }) => removed.has(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id })
}

/** Removes a customer if it has one of the versions; resolves to whether it did. */
export function makeRemoval (connection: Connection, clock: Now, recording: Recording) {
  const statement = removal(connection, recording, ['id', 'version'])
  return async (id: number, versions: readonly number[], actor: Actor): Promise<boolean> => {
    if (versions.length === 0) return false
    const now = clock.now()
    return (await statement.run(versions.map(version => recording.row([id, version], now, actor)))).length === 1
  }
}

/** @param keys columns that the list has, too */
function removal (connection: Connection, recording: Recording, keys: string[]): Recorded<{ id: 'int' }> {
  return recording.change({
    kind: "'removed'",
    where: keys.map((key, index) => `customer.${key} = change.column${index + 1}`).join(' AND '),
    after: null,
    write: (changes, where) => onSqlite(connection)
      ? `DELETE FROM customer WHERE (${keys.join()}) IN (SELECT ${keys.map((_, index) => `column${index + 1}`).join()} FROM ${changes}) RETURNING id`
      : `DELETE FROM customer USING ${changes} WHERE ${where} RETURNING customer.id`,
    types: keys.map(() => 'int'),
    columns: { id: 'int' }
  })
}

/** Concurrent questions share a statement if they are to; a list of versions may be long, and has its own. */
function share<Q extends { versions: Versions }, A> (
  run: (questions: Q[]) => Promise<A[]>,
  { none, isShared, ...options }: {
    concurrency: number
    keyOf: (question: Q) => unknown
    none: A
    isShared: (versions: Versions) => boolean
  }
): (question: Q) => Promise<A> {
  const batch = new Batch(run, options)
  return async question => {
    const { versions } = question
    if (isShared(versions) && (versions === 'any' || versions.length === 1)) return await batch.ask(question)
    const [answer = none] = versions.length === 0 ? [] : await run([question])
    return answer
  }
}

/** There, changes in one statement share a segment of the full-text index, and no lock of a row makes others wait. */
function onSqlite ({ dialect }: Connection): boolean {
  return dialect === 'sqlite'
}

/** A row for each version; `null` stands for any. A customer has at most one of them. */
function rowsOf<R> (versions: Versions, row: (version: number | null) => R): R[] {
  return versions === 'any' ? [row(null)] : versions.map(row)
}
