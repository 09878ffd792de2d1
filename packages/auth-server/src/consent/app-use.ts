import type { Client } from '../oauth/client.js'
import { errors } from '../oauth/errors.js'
import { isSelfRegistered } from '../oauth/identity.js'
import type { Registrations } from '../stores/clients/registrations.js'
import type { Throttles } from '../stores/operation/throttles.js'

/**
 * Records that a user allows a client access, before it is granted. Returns `false` if the client was disabled or removed.
 * @throws OAuthError `tooManyApps`, `tooManyOwnApps`
 */
export type RecordUse = (client: Client, userId: string, now: Date) => Promise<boolean>

/** How many self-registered clients a user can replace in a day: each removal is as expensive as a clean-up. */
const REPLACEMENTS_PER_USER = { name: 'replaced app', points: 100, duration: 24 * 60 * 60 }

/** Makes the record. Clients of an operator need none. */
export function createRecordUse (
  { registrations, throttles }: { registrations: Pick<Registrations, 'use' | 'makeRoom'>, throttles: Pick<Throttles, 'under'> }
): RecordUse {
  const replacements = throttles.under(REPLACEMENTS_PER_USER)
  return async (client, userId, now) => {
    if (!isSelfRegistered(client)) return true
    const facts = { client: client.id }
    let outcome = await registrations.use(client, userId, now)
    if (outcome === 'many') {
      const { retryAfter } = await replacements.count(userId)
      if (retryAfter > 0) throw errors.tooManyOwnApps('the user has replaced too many apps today', facts)
      if (await registrations.makeRoom(userId, now)) outcome = await registrations.use(client, userId, now)
    }
    if (outcome === 'many') throw errors.tooManyOwnApps('the user has reached the limit of apps', facts)
    if (outcome === 'full') throw errors.tooManyApps('the limit of apps with metadata documents is reached', facts)
    return outcome === 'used'
  }
}
