import { correlatedExists } from '@frontdesk/database/correlated-exists'
import type { Row } from '@frontdesk/database/rows'

/** Which changes to undo: those of an operation, or those of an app since a time. */
export const SELECTION = { operationId: 'string?', undoId: 'string?', clientId: 'string?', since: 'datetime?', start: 'bigint' } as const

/** `undoId`: the undo, which is an operation itself; `null`: it has not begun. `start`: no change to undo has a lower `seq`. */
export type Selection = Row<typeof SELECTION>

/** An app, and since when its changes are undone. */
export interface AppSince { readonly clientId: string, readonly since: Date }

/** SQL condition: whether a change of the customer is by an operation. Not by the index of operations: it would find all its customers. */
export const isBy = (id: string, range: string) => correlatedExists(`customer_change AS part
  WHERE part.customer_id = entry.id AND ${range} AND COALESCE(part.operation_id, '') = ${id}`)

const undoOfApp = (condition = '') => correlatedExists(
  `operation WHERE operation.id = change.operation_id AND operation.undoes_client_id = entry.client_id${condition}`)

/** SQL condition: whether `change` is by an undo of what the app did. */
const IS_UNDO_OF_APP = undoOfApp()

/** SQL condition: whether an undo since an earlier time already undid what the app did before `change`. */
export const IS_EARLIER_UNDO = undoOfApp(' AND operation.undoes_since < entry.since')

/** SQL condition: whether `change` is to be undone. NULL counts as no. */
export const IS_SELECTED = `(change.operation_id = entry.operation_id
  OR change.client_id = entry.client_id AND change.at >= entry.since AND NOT ${IS_UNDO_OF_APP})`

/** SQL condition: whether `change`, which is later than one to undo, does not prevent the undo. NULL counts as no. */
export const IS_PART = `(change.operation_id IN (entry.operation_id, entry.undo_id)
  OR change.client_id = entry.client_id OR ${IS_UNDO_OF_APP})`

/**
 * SQL condition: whether `change` has no effect any more, for the undo of an operation: an undo that was not itself undone reverted it
 * for this customer, or it is by such an undo, of a change that is later than `base_seq`.
 */
export const IS_REVERTED = `(entry.operation_id IS NOT NULL AND ${correlatedExists(`operation WHERE operation.id = change.operation_id AND (
  ${correlatedExists('operation AS undo WHERE undo.id = operation.undone AND undo.undone IS NULL')}
    AND ${isBy('operation.undone', 'part.seq > change.seq')}
  OR operation.undone IS NULL AND ${isBy('operation.undoes', 'part.seq > entry.base_seq AND part.seq < change.seq')})`)})`

/**
 * SQL condition: whether `change` came between changes of the operation to undo, such as a repeated undo of an app's changes. The undo
 * covers only what the operation did to the customer after this change.
 */
export const IS_BETWEEN = `entry.operation_id IS NOT NULL AND ${IS_PART} IS NOT TRUE
  AND ${isBy('entry.operation_id', 'part.seq > change.seq')}`

/** SQL condition: whether `change` is a merge to undo, of the customer of `entry`, or into it. */
export const IS_LINK = `change.successor IS NOT NULL AND (change.customer_id = entry.id OR change.successor = entry.id)
  AND change.seq >= entry.start AND ${IS_SELECTED}`
