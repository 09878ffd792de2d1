import { randomBytes } from 'node:crypto'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, newRow, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { operation } from '../../generated/tables.js'
import type { Actor } from '../changes/change.js'

/** What operations do to many customers. */
export const operationKinds = ['import', 'change', 'remove', 'merge', 'undo'] as const
type OperationKind = typeof operationKinds[number]

/** Who makes the changes of an operation. */
export interface OperationActor extends Actor { readonly operationId: string }

/** Another request is undoing the operation, or has undone it. */
export class OperationUndone extends Error {}

/** Columns of an operation that is no undo. */
export const UNDOES_NOTHING = { undoes: null, undoesClientId: null, undoesSince: null }

/** Size of an operation's id. */
const ID_BYTES = 16

/** Creates the id of a new operation: 128 random bits. */
export function newOperationId (): string {
  return operationId(randomBytes(ID_BYTES))
}

/** Makes an id of the first 128 bits. Without `-`: at the start of a command's argument, that would be an option. */
export function operationId (bytes: Buffer): string {
  return bytes.subarray(0, ID_BYTES).toString('base64url').replaceAll('-', '_')
}

/** An operation's progress. `customers`: those that the transaction changes; `counted`: those of them that were counted before. */
export interface Advance {
  readonly kind: OperationKind
  readonly actor: OperationActor
  readonly customers: number
  readonly counted?: number
  readonly now: Date
}

/**
 * A step of the transaction that changes customers: counts them, and records the operation with its first changes. Its condition
 * decides whether an undo finds these changes or prevents them.
 * @throws OperationUndone
 */
export function * advanceOperation (connection: Connection, { kind, actor, customers, counted = 0, now }: Advance): Steps<void> {
  const { operationId: id, sub, clientId, requestId } = actor
  const by = { at: now, sub, clientId, requestId }
  const row = { id, kind, ...by, customers: customers - counted, undone: null, isWhole: kind === 'merge', ...UNDOES_NOTHING }
  const advanced = yield * executeStep(connection, sql`
    INSERT INTO operation ${newRow(operation.columns, row)}
    ON CONFLICT (id) DO UPDATE SET customers = operation.customers + excluded.customers WHERE operation.undone IS NULL`)
  if (advanced === 0) throw new OperationUndone(`operation ${id} was undone`)
}
