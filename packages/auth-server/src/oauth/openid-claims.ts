import { Type, type TSchema } from '@sinclair/typebox'
import type { RolesClaim } from '../settings/roles.js'
import { attributeClaims } from './user-fields.js'

/** A claim about a user (OpenID Connect Core §5.1). */
interface Claim {
  /** What a client can do that requests only this claim, with the parameter `claims`. */
  readonly words: string
  /** Its schema at `/userinfo`. */
  readonly schema: TSchema
}

/** A scope that requests claims (OpenID Connect Core §5.4). */
interface ScopeWithClaims {
  /** What it allows a client to do. */
  readonly words: string
  readonly claims: Readonly<Record<string, Claim>>
}

/** The scope that requests roles, also in access tokens (RFC 9068 §2.2.3.1). */
export const ROLES = 'roles'

const SEE_ROLES = 'See your roles'
const rolesClaim: Claim = {
  words: SEE_ROLES,
  schema: Type.Array(Type.String(), { description: 'The user\'s roles, without those that administer this server. `ROLES_CLAIM` sets the claim\'s name.' })
}

/** The scopes that request claims. The attributes of users are claims; the compiler requires the values of others in `tokens/claims.ts`. */
export const scopesWithClaims = {
  profile: {
    words: 'See your name, user name, language and picture',
    claims: {
      ...attributeClaims('profile'),
      preferred_username: { words: 'See your user name', schema: Type.String({ description: 'User name; it may change.' }) },
      updated_at: {
        words: 'See when your details were last changed',
        schema: Type.Integer({ description: 'Time of the last change to the user, in seconds since 1970.' })
      }
    }
  },
  email: { words: 'See your email address', claims: attributeClaims('email') },
  [ROLES]: { words: SEE_ROLES, claims: { roles: rolesClaim, groups: rolesClaim } satisfies Record<RolesClaim, Claim> }
} as const satisfies Record<string, ScopeWithClaims>

type Names = { [Scope in keyof typeof scopesWithClaims]: keyof typeof scopesWithClaims[Scope]['claims'] }
/** Name of a claim. */
export type ClaimName = Names[keyof Names]

/** Every claim by its name, with the scope that has it. */
export const claimList: Readonly<Record<string, Claim & { readonly scope: string }>> = Object.fromEntries(
  Object.entries<ScopeWithClaims>(scopesWithClaims).flatMap(([scope, { claims }]) =>
    Object.entries(claims).map(([name, claim]) => [name, { ...claim, scope }]))
)

/** Every claim that a server with this setting returns. */
export function claimsWith (claim: RolesClaim): string[] {
  return Object.keys(claimList).filter(name => name === claim || claimList[name]!.scope !== ROLES)
}

/** The names of a scope's claims; none if it does not request claims. */
export function claimsOfScope (scope: string): string[] {
  return Object.keys(claimList).filter(name => claimList[name]!.scope === scope)
}
