import { claimOf, type ClaimPlace } from '../oauth/claims-request.js'
import { claimsOfScope, type ClaimName } from '../oauth/openid-claims.js'
import { userAttributes, userFields, type AttributeClaim } from '../oauth/user-fields.js'
import type { Person, Profiles } from '../stores/users/profiles.js'

/** Claims about a person (OpenID Connect Core §5.1), without those that are not known. */
export type Claims = Readonly<Record<string, string | number | boolean>>

type Value = string | number | boolean | null

/** What the claims say of a person that are not an attribute as it is stored; `null`: it is not known. */
const VALUES: Record<Exclude<ClaimName, AttributeClaim> | 'email_verified', (person: Person) => Value> = {
  preferred_username: ({ username }) => username,
  updated_at: ({ updatedAt }) => Math.floor(updatedAt.getTime() / 1_000),
  email_verified: ({ email, emailVerified }) => email === null ? null : emailVerified
}

/** What each claim says of a person. */
const values: Readonly<Record<string, (person: Person) => Value>> = {
  ...Object.fromEntries(userAttributes.map(name => [userFields[name].claim, (person: Person) => person[name]])),
  ...VALUES
}

/** What an app with this scope sees of a person in a place. */
export function claimsOf (person: Person, scope: readonly string[], place: ClaimPlace): Claims {
  const names = scope.flatMap(it => claimOf(it, place) ?? claimsOfScope(it))
  const pairs = names.map(name => [name, values[name]?.(person) ?? null] as const)
  // as: what is not known is left out.
  return Object.fromEntries(pairs.filter(([, value]) => value !== null)) as Claims
}

/**
 * The claims of the ID token next to an access token: those that a scope asks for there by themselves and, of an app with
 * `idTokenClaims`, those of all scopes. Without a look-up if there are none.
 */
export async function claimsForIdToken (
  profiles: Pick<Profiles, 'find'>, userId: string, scope: readonly string[], idTokenClaims: boolean
): Promise<Claims> {
  const asked = scope.filter(it => claimOf(it, 'id_token') !== undefined || (idTokenClaims && claimsOfScope(it).length > 0))
  const person = asked.length === 0 ? null : await profiles.find(userId)
  return person === null ? {} : claimsOf(person, asked, 'id_token')
}
