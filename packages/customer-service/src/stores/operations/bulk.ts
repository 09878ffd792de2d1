import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Recording } from '../changes/recording.js'
import type { Change } from '../customers/customer-record.js'
import { removal } from '../customers/statements.js'
import { updateEntry, updateStatement } from '../customers/update.js'
import type { OperationActor } from './advance.js'

/** Maximum customers in one statement: on SQLite, their values are its parameters. */
const CHUNK = 128

type Ids = readonly number[]

/** Opens changes of many customers by their numbers, each in one transaction. They return the numbers that customers have. */
export function openBulk (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const removeStatement = removal(connection, recording, pick(customer, 'id'))
  const update = updateStatement(recording)
  const find = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `SELECT id FROM customer WHERE id IN (SELECT entry.id FROM ${entries})`,
    row: pick(customer, 'id')
  })

  return {
    /** Whether a change is an operation that can be undone. */
    areRecorded: recording.hasOperations,

    /** Removes customers. */
    async remove (ids: Ids, actor: OperationActor): Promise<Set<number>> {
      return await run('remove', ids, actor, (chunk, now) => removeStatement.step(chunk.map(id => ({ id, at: now, ...actor }))))
    },

    /** Changes the same fields of customers. */
    async change (ids: Ids, change: Change, actor: OperationActor): Promise<Set<number>> {
      return await run('change', ids, actor, (chunk, now) => update.step(chunk.map(id => updateEntry(id, change, now, actor))))
    },

    /** Only finds the customers. */
    async find (ids: Ids): Promise<Set<number>> {
      return await connection.transact(() => inChunks(ids, chunk => find.step(chunk.map(id => ({ id })))))
    }
  }

  async function run (kind: 'remove' | 'change', ids: Ids, actor: OperationActor, step: (chunk: Ids, now: Date) => Found): Promise<Set<number>> {
    return await connection.transact(function * (): Steps<Set<number>> {
      const now = clock.now()
      // Sorted as a whole, because two transactions that lock the same customers in different orders would deadlock.
      const found = yield * inChunks(ids.toSorted((one, other) => one - other), chunk => step(chunk, now))
      yield * recording.operation({ kind, actor, customers: found.size, now })
      return found
    })
  }
}

type Found = Steps<ReadonlyArray<{ readonly id: number }>>

function * inChunks (ids: Ids, step: (chunk: Ids) => Found): Steps<Set<number>> {
  const found = new Set<number>()
  for (let start = 0; start < ids.length; start += CHUNK) {
    for (const { id } of yield * step(ids.slice(start, start + CHUNK))) found.add(id)
  }
  return found
}
