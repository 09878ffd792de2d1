import { Type, type Static } from '@sinclair/typebox'
import { skipReasons } from '../../stores/operations/revertible.js'

const Reason = Type.Object({
  customerid: Type.Optional(Type.Integer({ description: 'Absent for customers that are not in the history any more.' })),
  reason: Type.String({
    enum: skipReasons,
    description: '`changed`, `removed` or `merged`: it was changed, removed or merged into another customer later. `registered again`: another customer has the number now. `erased` or `not retained`: the values from before are not kept.'
  }),
  detail: Type.String({ description: 'The reason as a sentence.' }),
  at: Type.Optional(Type.String({ format: 'date-time', description: 'When it was changed.' })),
  sub: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'The user who changed it; null if no token was needed.' }))
})
export type Reason = Static<typeof Reason>

/** Outcome of an undo. */
export const UndoReport = Type.Object({
  operation: Type.Optional(Type.String({ description: 'The undo, which is an operation itself: undo it to do the changes again.' })),
  customers: Type.Integer({ description: 'Customers that the operation changed.' }),
  reverted: Type.Integer({ description: 'Those that have the values from before again. In a dry run: those that would have them.' }),
  skipped: Type.Integer({ description: 'Those that were not changed.' }),
  reasons: Type.Array(Reason, { description: 'Of the first 1,000 skipped customers.' }),
  hasMoreReasons: Type.Boolean(),
  dryRun: Type.Boolean()
})
export type UndoReport = Static<typeof UndoReport>
