import type { Person } from '../stores/profiles.js'

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

/** What an app with this scope sees of a person. */
export function claimsOf (person: Person, scope: readonly string[]): Claims {
  const pairs = scope.flatMap(it => Object.entries(Object.hasOwn(CLAIMS, it) ? CLAIMS[it]! : {}))
    .map(([name, read]) => [name, read(person)] as const)
  // as: what is not known is left out.
  return Object.fromEntries(pairs.filter(([, value]) => value !== null)) as Claims
}
