import { meets, type Acr } from '@frontdesk/schemas/acr'
import { acrOf, highestAcr, MFA_ACR, PASSKEY_ACR, PASSWORD_ACR, reachableAcr } from '../oauth/acr.js'
import { PASSWORD, type Authentication } from '../oauth/authentication.js'
import type { Client } from '../oauth/client.js'
import { errors, type OAuthError } from '../oauth/errors.js'
import { requestedAcr, type RequestedAcrs } from '../oauth/requested-acr.js'
import type { FoundSession } from '../stores/sessions/sessions.js'

/** A signed-in user, with what they need and have. */
export interface Leveled extends Pick<Authentication, 'amr'>, Pick<FoundSession, 'userId' | 'requiredAcr' | 'factors'> {
  /** Whether the session is yet to start: its factor, if any, was used just now. */
  readonly isStarting?: boolean
}

/** What is required of a sign-in. */
interface Requirement {
  readonly client: Pick<Client, 'requiredAcr'>
  readonly interaction: RequestedAcrs
}

/** The user must set up a factor of this level. `amr`: what the sign-in has used just now, or a password. */
export interface Unenrolled { readonly outcome: 'unenrolled', readonly acr: Acr, readonly amr: string }

/** `factor`: the user must use one. `unenrolled`: they must set one up. `refused`: the request cannot be met. */
export type SecondStep =
  | { readonly outcome: 'factor' }
  | Unenrolled
  | { readonly outcome: 'refused', readonly error: OAuthError }

/**
 * What a sign-in still needs for a request; `null`: nothing.
 * @param isTrusted whether the user trusts this browser, which replaces the factor unless the request itself requires a level. Called only
 *   if it matters
 */
export async function findSecondStep (
  { amr, requiredAcr, factors, isStarting = false }: Leveled, { client, interaction }: Requirement, isTrusted: () => Promise<boolean>
): Promise<SecondStep | null> {
  const [reached, reachable] = [acrOf(amr), reachableAcr(factors)]
  const requested = requestedAcr(interaction, factors)
  if (!meets(reached, requested) && !meets(reachable, requested)) {
    return { outcome: 'refused', error: errors.unmetAuthentication('the user has no factor for the essential acr') }
  }
  const standing = highestAcr(client.requiredAcr, requiredAcr, reachable === PASSWORD_ACR ? null : MFA_ACR)
  const needed = highestAcr(requested, standing)
  if (meets(reached, needed)) return null
  // A passkey is set up right after a code, if the user has a factor: not in a session, which can be stolen. With a code instead of the
  // required passkey, they may have lost it.
  const hasUsedCode = isStarting && standing === PASSKEY_ACR && meets(reached, MFA_ACR)
  if (factors === null || hasUsedCode) return { outcome: 'unenrolled', acr: needed, amr: isStarting ? amr : PASSWORD }
  return standing === MFA_ACR && meets(reached, requested) && await isTrusted() ? null : { outcome: 'factor' }
}
