import { Type, type Static } from '@sinclair/typebox'

/** Where the authorization server tells what was revoked, below its issuer. */
export const REVOCATIONS_PATH = '/revocations'

/** Access that was taken back before its tokens ended. Times are seconds since 1970. */
export const RevocationList = Type.Object({
  revoked: Type.Array(Type.Object({
    id: Type.String({ description: '`jti` of an access token, or the `grant_id` that access tokens name.' }),
    ends: Type.Integer({ description: 'When the last of its tokens has ended, and it can be forgotten.' })
  })),
  next: Type.String({ description: 'Sent as `after` next time: what came until then is left out, but for the last minute.' }),
  more: Type.Boolean({ description: 'Whether there is more already.' })
})
export type RevocationList = Static<typeof RevocationList>
