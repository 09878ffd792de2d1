import type { MessageKey } from '../languages/languages.js'
import type { Client } from './client.js'
import { isSelfRegistered } from './identity.js'

const [READ, WRITE] = ['admin:read', 'admin:write'] as const

/** The scopes of the administration API, with what they allow a client to do. Only built-in roles can have them. */
export const adminScopes: Readonly<Record<string, MessageKey>> = {
  [READ]: 'permission.admin:read',
  [WRITE]: 'permission.admin:write'
}

/**
 * The built-in roles, with their scopes. An administrator can do everything. An auditor can read everything. Support can read
 * everything, invite users, reset their passwords and sign them out.
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

/** Whether allowed scopes name a scope of the administration API. `*` and `null` allow any scope, but name none. */
export function namesAdminScope (allowedScope: string | null): boolean {
  return allowedScope !== null && allowedScope.split(' ').some(isAdminScope)
}

/** Whether a client can request scopes of the administration API: an operator has registered it, and allowed one of them by name. */
export function canAdminister (client: Pick<Client, 'allowedScope' | 'registeredBy'>): boolean {
  return !isSelfRegistered(client) && namesAdminScope(client.allowedScope)
}
