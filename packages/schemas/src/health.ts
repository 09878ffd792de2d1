import { Type, type Static } from '@sinclair/typebox'

/** More about a check, as far as strangers may know. */
const Details = Type.Object({
  ageSeconds: Type.Optional(Type.Integer({ minimum: 0, description: 'How long ago it last went well, in seconds.' })),
  failure: Type.Optional(Type.String({ description: 'Why the last attempt failed, one of a few fixed words; absent if it went well.' })),
  entries: Type.Optional(Type.Integer({ minimum: 0, description: 'How many entries it has.' }))
})

/** Answer of the health endpoints: what is checked, and whether it is well. */
export const Health = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable')]),
  checks: Type.Record(Type.String(), Type.String(), { description: 'Name of the check → `ok`, or what is wrong.' }),
  details: Type.Optional(Type.Record(Type.String(), Details, { description: 'Name of the check → more about it.' }))
})
export type Health = Static<typeof Health>
