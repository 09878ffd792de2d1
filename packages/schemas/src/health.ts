import { Type, type Static } from '@sinclair/typebox'

/** Answer of the health endpoints: what is checked, and whether it is well. */
export const Health = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable')]),
  checks: Type.Record(Type.String(), Type.String(), { description: 'Name of the check → `ok`, or what is wrong.' })
})
export type Health = Static<typeof Health>
