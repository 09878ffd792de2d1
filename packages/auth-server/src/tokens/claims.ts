import { claimOf, type ClaimPlace } from '../oauth/claims-request.js'
import type { Person, Profiles } from '../stores/profiles.js'

/** Claims about a person (OpenID Connect Core §5.1), without those that are not known. */
export type Claims = Readonly<Record<string, string | number | boolean>>

/** The claims of each scope (OpenID Connect Core §5.4). */
const CLAIMS: Record<string, Record<string, (person: Person) => string | number | boolean | null>> = {
  profile: {
    name: ({ name }) => name,
    given_name: ({ givenName }) => givenName,
    family_name: ({ familyName }) => familyName,
    preferred_username: ({ username }) => username,
    picture: ({ picture }) => picture,
    locale: ({ locale }) => locale,
    updated_at: ({ updatedAt }) => Math.floor(updatedAt.getTime() / 1_000)
  },
  email: {
    email: ({ email }) => email,
    email_verified: ({ email, emailVerified }) => email === null ? null : emailVerified
  }
}

/** Names of all claims about a person. */
export const CLAIM_NAMES = ['sub', ...Object.values(CLAIMS).flatMap(claims => Object.keys(claims))]

const ALL = Object.assign({}, ...Object.values(CLAIMS)) as typeof CLAIMS[string]

/** What an app with this scope sees of a person in a place. */
export function claimsOf (person: Person, scope: readonly string[], place: ClaimPlace): Claims {
  const names = scope.flatMap(it => Object.hasOwn(CLAIMS, it) ? Object.keys(CLAIMS[it]!) : claimOf(it, place) ?? [])
  const pairs = names.map(name => [name, ALL[name]!(person)] as const)
  // as: what is not known is left out.
  return Object.fromEntries(pairs.filter(([, value]) => value !== null)) as Claims
}

/** The claims that a scope asks for in the ID token by themselves; without a look-up if there are none. */
export async function claimsForIdToken (profiles: Pick<Profiles, 'find'>, userId: string, scope: readonly string[]): Promise<Claims> {
  const asked = scope.filter(it => claimOf(it, 'id_token') !== undefined)
  const person = asked.length === 0 ? null : await profiles.find(userId)
  return person === null ? {} : claimsOf(person, asked, 'id_token')
}
