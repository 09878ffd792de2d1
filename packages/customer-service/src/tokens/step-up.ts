import { acrsFrom, meets } from '@frontdesk/schemas/acr'
import type { AccessToken } from '@frontdesk/schemas/access-token'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import { joinOr } from '@frontdesk/service-kit/join-or'
import { signInInsufficient, userMissing } from '../problems/access.js'
import type { StepUp } from '../settings/step-up.js'

/** The check of a sign-in for sensitive operations (RFC 9470). */
export interface StepUpCheck {
  /** What the challenge requests (RFC 9470 §3). */
  readonly parameters: { readonly acr_values?: string, readonly max_age?: string }
  /** @throws ProblemError `sign-in-insufficient`, `user-missing` */
  assert (claims: AccessToken): void
}

/** Creates {@link StepUpCheck}. @param now milliseconds since 1970, on the clock that verifies tokens */
export function createStepUpCheck ({ acr, maxAge, clients }: StepUp, now = Date.now): StepUpCheck {
  const accepted = acr === undefined ? [] : acrsFrom(acr)
  const required = [
    ...accepted.length > 0 ? [`with the acr ${joinOr(accepted)}`] : [],
    ...maxAge === undefined ? [] : [`at most ${maxAge} seconds ago`]
  ].join(', ')

  return {
    parameters: {
      ...accepted.length > 0 && { acr_values: accepted.join(' ') },
      ...maxAge !== undefined && { max_age: String(maxAge) }
    },
    assert ({ sub, client_id: client, acr: reached, auth_time: authTime }) {
      // Without a user, the subject is the client (RFC 9068 §2.2).
      if (sub === client) {
        if (clients.includes(client)) return
        throw userMissing('Send a user\'s access token. Tokens without a user are not accepted here.')
      }
      const isStrong = acr === undefined || meets(reached, acr)
      if (isStrong && (maxAge === undefined || isRecent(authTime, maxAge))) return
      throw signInInsufficient(`This requires a sign-in ${required}. Sign in again.`)
    }
  }

  function isRecent (authTime: number | undefined, maxAge: number): boolean {
    if (authTime === undefined) return false
    const age = now() / 1_000 - authTime
    return age >= -CLOCK_LEEWAY_S && age <= maxAge + CLOCK_LEEWAY_S
  }
}
