import { fileUnreadable } from '../../problems/import.js'
import { operationUndone } from '../../problems/operation.js'
import { NumbersExhausted } from '../../stores/imports/numbering.js'
import { OperationUndone } from '../../stores/operations/advance.js'

/** Makes the problem of an error of the store; returns other errors as they are. */
export function toProblem (cause: unknown): unknown {
  if (cause instanceof OperationUndone) return operationUndone('This import was undone. Nothing more is registered.', { cause })
  if (!(cause instanceof NumbersExhausted)) return cause
  return fileUnreadable('A customer already has the highest number, and no number above it is free. Give each customer a number.', { cause })
}
