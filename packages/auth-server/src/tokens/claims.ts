import { numericDate } from '../lifetimes.js'
import { claimOf, type ClaimPlace } from '../oauth/claims-request.js'
import { claimsOfScope, claimsWith, ROLES, type ClaimName } from '../oauth/openid-claims.js'
import type { RolesClaim } from '../settings/roles.js'
import { userAttributes, userFields, type AttributeClaim } from '../oauth/user-fields.js'
import type { FoundProfile } from '../stores/users/profiles.js'

/** Known claims about a user (OpenID Connect Core §5.1). */
export type Claims = Readonly<Record<string, string | number | boolean | readonly string[]>>

type Value = Claims[string] | null

/** The values of claims that are not a stored attribute; `null`: unknown. */
const VALUES: Record<Exclude<ClaimName, AttributeClaim> | 'email_verified', (profile: FoundProfile) => Value> = {
  preferred_username: ({ username }) => username,
  updated_at: ({ updatedAt }) => numericDate(updatedAt),
  email_verified: ({ email, emailVerified }) => email === null ? null : emailVerified,
  roles: rolesOf,
  groups: rolesOf
}

/** The value of each claim. */
const values: Readonly<Record<string, (profile: FoundProfile) => Value>> = {
  ...Object.fromEntries(userAttributes.map(name => [userFields[name].claim, (profile: FoundProfile) => profile[name]])),
  ...VALUES
}

function rolesOf ({ roles }: FoundProfile): string[] {
  return roles?.split(' ').sort() ?? []
}

/** The claims about a user that a scope allows in a place. @param claim the name of the claim with roles */
export function userClaims (profile: FoundProfile, scope: readonly string[], place: ClaimPlace, claim: RolesClaim): Claims {
  const known = claimsWith(claim)
  const names = scope.flatMap(it => claimOf(it, place) ?? claimsOfScope(it)).filter(name => known.includes(name))
  const pairs = names.map(name => [name, values[name]?.(profile) ?? null] as const)
  // as: unknown values are left out.
  return Object.fromEntries(pairs.filter(([, value]) => value !== null)) as Claims
}

/** The scopes whose claims an access token has. */
export function accessTokenScope (scope: readonly string[]): string[] {
  return scope.filter(it => it === ROLES)
}

/**
 * The scopes whose claims the ID token next to an access token has: roles, the claims that the `claims` parameter requested for it and,
 * for a client with `idTokenClaims`, those of all scopes.
 */
export function idTokenScope (scope: readonly string[], idTokenClaims: boolean): string[] {
  return scope.filter(it => it === ROLES || claimOf(it, 'id_token') !== undefined || (idTokenClaims && claimsOfScope(it).length > 0))
}
