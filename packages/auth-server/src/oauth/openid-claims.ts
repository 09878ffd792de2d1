import { Type, type TSchema } from '@sinclair/typebox'
import type { MessageKey } from '../languages/languages.js'
import type { RolesClaim } from '../settings/roles.js'
import { attributeClaims } from './user-fields.js'

/** A claim about a user (OpenID Connect Core §5.1). */
interface Claim {
  /** What a client can do that requests only this claim, with the parameter `claims`. */
  readonly allows: MessageKey
  /** Its schema at `/userinfo`. */
  readonly schema: TSchema
}

/** A scope that requests claims (OpenID Connect Core §5.4). */
interface ScopeWithClaims {
  /** What it allows a client to do. */
  readonly allows: MessageKey
  readonly claims: Readonly<Record<string, Claim>>
}

/** The scope that requests roles, also in access tokens (RFC 9068 §2.2.3.1). */
export const ROLES = 'roles'

const rolesClaim: Claim = {
  allows: 'permission.roles',
  schema: Type.Array(Type.String(), { description: 'The user\'s roles, without those that administer this server. `ROLES_CLAIM` sets the claim\'s name.' })
}

/** The scopes that request claims. The attributes of users are claims; the compiler requires the values of others in `tokens/claims.ts`. */
export const scopesWithClaims = {
  profile: {
    allows: 'permission.profile',
    claims: {
      ...attributeClaims('profile'),
      preferred_username: { allows: 'permission.claim.preferred_username', schema: Type.String({ description: 'User name; it may change.' }) },
      updated_at: {
        allows: 'permission.claim.updated_at',
        schema: Type.Integer({ description: 'Time of the last change to the user, in seconds since 1970.' })
      }
    }
  },
  email: { allows: 'permission.email', claims: attributeClaims('email') },
  [ROLES]: { allows: 'permission.roles', claims: { roles: rolesClaim, groups: rolesClaim } satisfies Record<RolesClaim, Claim> }
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
