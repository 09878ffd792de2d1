import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Recording } from '../changes/recording.js'
import { successorStatement } from '../changes/successor.js'
import type { Change } from '../customers/customer-record.js'
import { removal } from '../customers/statements.js'
import { updateEntry, updateStatement } from '../customers/update.js'
import type { OperationActor } from './advance.js'

/** Maximum customers in one statement: on SQLite, their values are its parameters. */
const CHUNK = 128

/** A customer to change, if it has the version; `null` is any. A list has a version for each, or for none. */
export interface Target { readonly id: number, readonly version: number | null }

type Targets = readonly Target[]
type Found = Steps<ReadonlyArray<{ readonly id: number }>>

/** A customer that was not changed: it does not exist, has another version, or was merged into another one. */
type Failed = { readonly id: number } & (
  { readonly reason: 'unknown' | 'changed' } | { readonly reason: 'merged', readonly successor: number })

/** How many customers were changed, and which were not. */
type Outcome = { readonly done: number, readonly failed: readonly Failed[] }

/** Opens changes of many customers by their numbers, each in one transaction. */
export function openBulk (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const remove = removal(connection, recording, pick(customer, 'id'))
  const removeVersion = removal(connection, recording, pick(customer, 'id', 'version'))
  const update = updateStatement(recording)
  const find = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `SELECT id, version FROM customer WHERE id IN (SELECT entry.id FROM ${entries})`,
    row: pick(customer, 'id', 'version')
  })
  const findSuccessors = successorStatement(connection)

  return {
    /** Whether a change is an operation that can be undone. */
    areRecorded: recording.hasOperations,

    /** Removes customers. */
    async remove (targets: Targets, actor: OperationActor): Promise<Outcome> {
      return await run('remove', targets, actor, (chunk, at) => {
        const versioned = chunk.flatMap(({ id, version }) => version === null ? [] : [{ id, version, at, ...actor }])
        return versioned.length > 0 ? removeVersion.step(versioned) : remove.step(chunk.map(({ id }) => ({ id, at, ...actor })))
      })
    },

    /** Changes the same fields of customers. */
    async change (targets: Targets, change: Change, actor: OperationActor): Promise<Outcome> {
      return await run('change', targets, actor, (chunk, now) =>
        update.step(chunk.map(({ id, version }) => ({ ...updateEntry(id, change, now, actor), version }))))
    },

    /** Only finds the customers. */
    async find (targets: Targets): Promise<Outcome> {
      return await connection.transact(function * (): Steps<Outcome> {
        const found = yield * readVersions(targets)
        return yield * outcomeOf(targets, ({ id, version }) => found.has(id) && (version ?? found.get(id)) === found.get(id), found)
      })
    }
  }

  async function run (kind: 'remove' | 'change', targets: Targets, actor: OperationActor, step: (chunk: Targets, now: Date) => Found) {
    return await connection.transact(function * (): Steps<Outcome> {
      const now = clock.now()
      const done = new Set<number>()
      // Sorted as a whole, because two transactions that lock the same customers in different orders would deadlock.
      for (const chunk of chunksOf(targets.toSorted((one, other) => one.id - other.id))) {
        for (const { id } of yield * step(chunk, now)) done.add(id)
      }
      yield * recording.operation({ kind, actor, customers: done.size, now })
      const others = targets.filter(({ id, version }) => version !== null && !done.has(id))
      return yield * outcomeOf(targets, ({ id }) => done.has(id), yield * readVersions(others))
    })
  }

  function * readVersions (targets: Targets): Steps<Map<number, number>> {
    const found = new Map<number, number>()
    for (const chunk of chunksOf(targets)) {
      for (const { id, version } of yield * find.step(chunk.map(({ id }) => ({ id })))) found.set(id, version)
    }
    return found
  }

  /** @param found the customers that exist, of those that were not changed */
  function * outcomeOf (
    targets: Targets, isDone: (target: Target) => boolean, found: ReadonlyMap<number, number>
  ): Steps<Outcome> {
    const failed = targets.filter(target => !isDone(target))
    const successors = new Map<number, number>()
    for (const chunk of chunksOf(failed.filter(({ id }) => !found.has(id)))) {
      for (const { id, successor } of yield * findSuccessors.step(chunk.map(({ id }) => ({ id })))) successors.set(id, successor)
    }
    const explain = ({ id }: Target): Failed => {
      const successor = successors.get(id)
      if (successor !== undefined) return { id, reason: 'merged', successor }
      return { id, reason: found.has(id) ? 'changed' : 'unknown' }
    }
    return { done: targets.length - failed.length, failed: failed.map(explain) }
  }
}

const chunksOf = (targets: Targets): Targets[] =>
  Array.from({ length: Math.ceil(targets.length / CHUNK) }, (_, index) => targets.slice(index * CHUNK, (index + 1) * CHUNK))
