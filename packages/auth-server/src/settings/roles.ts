import { oneOf } from '@frontdesk/service-kit/settings'
import type { Static, TObject } from '@sinclair/typebox'

/** The names that the claim with roles can have. */
const rolesClaims = ['roles', 'groups'] as const

/** Name of the claim with roles. */
export type RolesClaim = typeof rolesClaims[number]

/** Settings of roles. */
export const roleSettings = {
  ROLES_CLAIM: oneOf('Name of the claim that lists the user\'s roles in tokens and `/userinfo`, with the scope `roles`.', rolesClaims)
}

export interface RoleConfig { readonly rolesClaim: RolesClaim }

export function readRoles ({ ROLES_CLAIM: rolesClaim }: Static<TObject<typeof roleSettings>>): RoleConfig {
  return { rolesClaim }
}
