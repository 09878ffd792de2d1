import { Type, type Static } from '@sinclair/typebox'

/** Outcome of a change of many customers. */
export const BulkReport = Type.Object({
  operation: Type.Optional(Type.String({ description: 'The operation, to undo the changes. Absent if nothing was changed, or no history is kept.' })),
  removed: Type.Optional(Type.Integer({ description: 'Removed customers. In a dry run: those that would be removed.' })),
  changed: Type.Optional(Type.Integer({ description: 'Changed customers. In a dry run: those that would be changed.' })),
  failed: Type.Array(Type.Object({
    customerid: Type.Integer(),
    reason: Type.String({
      enum: ['unknown', 'changed', 'merged'],
      description: '`unknown`: no customer has this number. `changed`: the customer has another ETag. `merged`: it was merged into another one.'
    }),
    successor: Type.Optional(Type.Integer({ description: 'The customer that it was merged into.' }))
  })),
  dryRun: Type.Boolean()
})
export type BulkReport = Static<typeof BulkReport>
