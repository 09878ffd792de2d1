import { Type, type Static } from '@sinclair/typebox'

/** Details of a check that are safe to publish. */
const Details = Type.Object({
  ageSeconds: Type.Optional(Type.Integer({ minimum: 0, description: 'Time since the last success, in seconds.' })),
  failure: Type.Optional(Type.String({ description: 'Why the last attempt failed, from a fixed set of words. Absent if it succeeded.' })),
  entries: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of entries.' }))
})

/** Response of the health endpoints. */
export const Health = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable')]),
  checks: Type.Record(Type.String(), Type.String(), { description: 'Name of the check → `ok`, or what is wrong.' }),
  details: Type.Optional(Type.Record(Type.String(), Details, { description: 'Name of the check → more about it.' }))
})
export type Health = Static<typeof Health>
