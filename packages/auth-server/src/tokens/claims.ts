import { numericDate } from '../lifetimes.js'
import { claimOf, type ClaimPlace } from '../oauth/claims-request.js'
import { claimsOfScope, type ClaimName } from '../oauth/openid-claims.js'
import { userAttributes, userFields, type AttributeClaim } from '../oauth/user-fields.js'
import type { UserProfile, Profiles } from '../stores/users/profiles.js'

/** Known claims about a user (OpenID Connect Core §5.1). */
export type Claims = Readonly<Record<string, string | number | boolean>>

type Value = string | number | boolean | null

/** The values of claims that are not a stored attribute; `null`: unknown. */
const VALUES: Record<Exclude<ClaimName, AttributeClaim> | 'email_verified', (profile: UserProfile) => Value> = {
  preferred_username: ({ username }) => username,
  updated_at: ({ updatedAt }) => numericDate(updatedAt),
  email_verified: ({ email, emailVerified }) => email === null ? null : emailVerified
}

/** The value of each claim. */
const values: Readonly<Record<string, (profile: UserProfile) => Value>> = {
  ...Object.fromEntries(userAttributes.map(name => [userFields[name].claim, (profile: UserProfile) => profile[name]])),
  ...VALUES
}

/** The claims about a user that a scope allows in a place. */
export function userClaims (profile: UserProfile, scope: readonly string[], place: ClaimPlace): Claims {
  const names = scope.flatMap(it => claimOf(it, place) ?? claimsOfScope(it))
  const pairs = names.map(name => [name, values[name]?.(profile) ?? null] as const)
  // as: unknown values are left out.
  return Object.fromEntries(pairs.filter(([, value]) => value !== null)) as Claims
}

/**
 * The claims of the ID token next to an access token: those that the `claims` parameter requested for it and, for a client with
 * `idTokenClaims`, those of all scopes. Without a lookup if there are none.
 */
export async function claimsForIdToken (
  profiles: Pick<Profiles, 'find'>, userId: string, scope: readonly string[], idTokenClaims: boolean
): Promise<Claims> {
  const requested = scope.filter(it => claimOf(it, 'id_token') !== undefined || (idTokenClaims && claimsOfScope(it).length > 0))
  const profile = requested.length === 0 ? null : await profiles.find(userId)
  return profile === null ? {} : userClaims(profile, requested, 'id_token')
}
