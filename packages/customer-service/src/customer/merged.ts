import { Type, type Static } from '@sinclair/typebox'

/** Outcome of a merge. */
export const Merged = Type.Object({
  customerid: Type.Integer({ description: 'The customer that stays.' }),
  etag: Type.String({ description: 'Its new ETag as JSON.' }),
  operation: Type.Optional(Type.String({ description: 'To undo the merge. Absent without a history.' }))
})
export type Merged = Static<typeof Merged>
