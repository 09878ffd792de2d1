import type { Client } from './client.js'
import { isSelfRegistered } from './identity.js'

const [READ, WRITE] = ['admin:read', 'admin:write'] as const

/** The scopes of the administration API, with what they allow a client to do. No role of an operator can have them. */
export const adminScopes: Readonly<Record<string, string>> = {
  [READ]: 'See users, apps, keys and the audit trail of this server',
  [WRITE]: 'Manage users, apps and keys of this server'
}

/**
 * The built-in roles, with their scopes. An administrator can do everything, an auditor can read everything, and support can read
 * everything, and invite, reset and sign out users.
 */
export const builtInRoles = {
  administrator: [READ, WRITE],
  auditor: [READ],
  support: [READ, WRITE]
} as const

export type BuiltInRole = keyof typeof builtInRoles

/** Whether a role is built in: operators cannot add, change or remove it. */
export function isBuiltIn (role: string): role is BuiltInRole {
  return Object.hasOwn(builtInRoles, role)
}

/** Whether a scope is one of the administration API. */
export function isAdminScope (scope: string): boolean {
  return Object.hasOwn(adminScopes, scope)
}

/** Whether allowed scopes have one of the administration API by name: `*` and `null`, any, include none. */
export function namesAdminScope (allowedScope: string | null): boolean {
  return allowedScope !== null && allowedScope.split(' ').some(isAdminScope)
}

/** Whether a client can request scopes of the administration API: an operator has registered it, and allowed one of them by name. */
export function canAdminister (client: Pick<Client, 'allowedScope' | 'registeredBy'>): boolean {
  return !isSelfRegistered(client) && namesAdminScope(client.allowedScope)
}
