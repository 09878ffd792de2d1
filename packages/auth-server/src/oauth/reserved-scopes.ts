import { reservedCustomerScopes } from '@frontdesk/schemas/customer-scope'
import { adminScopes } from './admin-scopes.js'
import type { Client } from './client.js'
import { isSelfRegistered } from './identity.js'

/** The scope of the directory: the names of users whose `sub` an app knows. */
export const DIRECTORY_SCOPE = 'directory:read'

/** Scopes that concern other users or apps than those of the grant: an operator must allow them by name. */
export const reservedScopes: readonly string[] = [...Object.keys(adminScopes), DIRECTORY_SCOPE, ...Object.keys(reservedCustomerScopes)]

/** Whether an operator must allow a scope by name. */
export function isReservedScope (scope: string): boolean {
  return reservedScopes.includes(scope)
}

/** Whether allowed scopes allow any scope but the reserved ones, which they must name. `null`, too, is any. */
export function allowsAny (allowedScope: string | null): boolean {
  return allowedScope === null || allowedScope.split(' ').includes('*')
}

/** The scopes that allowed scopes name. */
export function namedScopes (allowedScope: string | null): string[] {
  return allowedScope?.split(' ').filter(it => it !== '*') ?? []
}

/** Whether allowed scopes name a reserved scope. */
export function namesReservedScope (allowedScope: string | null): boolean {
  return namedScopes(allowedScope).some(isReservedScope)
}

/** Whether a client can request the reserved scopes that its allowed scopes name: an operator has registered it. */
export function canRequestReserved (client: Pick<Client, 'allowedScope' | 'registeredBy'>): boolean {
  return !isSelfRegistered(client) && client.allowedScope !== null
}

/** Whether a client can request the scope of the directory. */
export function canReadDirectory (client: Pick<Client, 'allowedScope' | 'registeredBy'>): boolean {
  return canRequestReserved(client) && namedScopes(client.allowedScope).includes(DIRECTORY_SCOPE)
}
