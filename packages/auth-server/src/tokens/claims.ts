import { claimOf, type ClaimPlace } from '../oauth/claims-request.js'
import { claimsOfScope, type ClaimName } from '../oauth/openid-claims.js'
import type { Person, Profiles } from '../stores/profiles.js'

/** Claims about a person (OpenID Connect Core §5.1), without those that are not known. */
export type Claims = Readonly<Record<string, string | number | boolean>>

/** What each claim says of a person; `null`: it is not known. */
const VALUES: Record<ClaimName, (person: Person) => string | number | boolean | null> = {
  name: ({ name }) => name,
  given_name: ({ givenName }) => givenName,
  family_name: ({ familyName }) => familyName,
  preferred_username: ({ username }) => username,
  picture: ({ picture }) => picture,
  locale: ({ locale }) => locale,
  updated_at: ({ updatedAt }) => Math.floor(updatedAt.getTime() / 1_000),
  email: ({ email }) => email,
  email_verified: ({ email, emailVerified }) => email === null ? null : emailVerified
}

/** What an app with this scope sees of a person in a place. */
export function claimsOf (person: Person, scope: readonly string[], place: ClaimPlace): Claims {
  // as: both give names of the list.
  const names = scope.flatMap(it => claimOf(it, place) ?? claimsOfScope(it)) as ClaimName[]
  const pairs = names.map(name => [name, VALUES[name](person)] as const)
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
