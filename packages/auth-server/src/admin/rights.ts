import { joinOr } from '@frontdesk/service-kit/join-or'
import type { Client } from '../oauth/client.js'
import { isBuiltIn, namesAdminScope, type BuiltInRole } from '../oauth/admin-scopes.js'
import type { Administrator } from '../stores/access/administrators.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { forbidden } from './refusal.js'
import { reason } from '../languages/reason.js'

/** What an action needs: `read` if it changes nothing, `support` if it helps a user sign in, otherwise `manage`. */
export type Right = 'read' | 'support' | 'manage'

const RIGHTS: Readonly<Record<BuiltInRole, readonly Right[]>> = {
  administrator: ['read', 'support', 'manage'],
  auditor: ['read'],
  support: ['read', 'support']
}

/** The rights of a user with these roles. */
export function rightsOf (roles: readonly string[]): ReadonlySet<Right> {
  return new Set(roles.filter(isBuiltIn).flatMap(role => RIGHTS[role]))
}

/** Whether an action is sensitive for a user. @param isSensitive whether it is; a right: only for users who have it */
export function isSensitiveFor (isSensitive: boolean | Right, rights: ReadonlySet<Right>): boolean {
  return typeof isSensitive === 'string' ? rights.has(isSensitive) : isSensitive
}

/** The built-in roles of a user, and their rights. Reads the database. */
export async function findRights (
  { roles }: Pick<Stores, 'roles'>, userId: string
): Promise<{ readonly roles: readonly string[], readonly rights: ReadonlySet<Right> }> {
  const builtIn = (await roles.of(userId)).filter(isBuiltIn)
  return { roles: builtIn, rights: rightsOf(builtIn) }
}

/** The sentence for users without a right. */
export function whyNotPermitted (right: Right): string {
  return `This needs the role ${joinOr(rolesWith(right))}.`
}

/** The roles that have a right. */
export function rolesWith (right: Right): string[] {
  return Object.entries(RIGHTS).flatMap(([role, rights]) => rights.includes(right) ? [role] : [])
}

/**
 * A client that acts on its own behalf cannot change a client with admin scopes, such as itself, and cannot give them.
 * @param clients before and after the change
 * @throws Refusal
 */
export function assertMayChangeClient (by: Actor, ...clients: ReadonlyArray<Pick<Client, 'allowedScope'>>): void {
  if (by.kind !== 'client' || !clients.some(({ allowedScope }) => namesAdminScope(allowedScope))) return
  throw forbidden('clientId', 'Only a user can change a client with the scope admin:read or admin:write, or give a client these scopes.')
}

/** Whose right to see links a link depends on that is shown to them; `undefined`: a shell. */
export function administratorOf (by: Actor): Administrator | undefined {
  if (by.kind === 'shell') return undefined
  return by.kind === 'client' ? { kind: 'client', clientId: by.clientId } : { kind: 'user', userId: by.userId, roles: rolesWith('manage') }
}

/** Whether an actor can do everything with users: give roles, see links that set a password. */
export function mayManageUsers (by: Actor): boolean {
  return by.kind !== 'user' || rightsOf(by.roles).has('manage')
}

/**
 * Support cannot give roles, nor act on users with a built-in role. Neither can a client that acts on its own behalf, nor give
 * such a role: it could sign in as such a user, and change itself.
 * @param id of an existing user @param given roles that the user gets
 * @throws Refusal
 */
export async function assertMayChangeUser (
  { roles }: Pick<Stores, 'roles'>, by: Actor, id: string | undefined, given: readonly string[] = []
): Promise<void> {
  if (by.kind !== 'client' && mayManageUsers(by)) return
  if (by.kind === 'user' && given.length > 0) throw forbidden('roles', reason('reason.roles-administrator'))
  const all = [...given, ...id === undefined ? [] : await roles.of(id)]
  if (!all.some(isBuiltIn)) return
  const names = Object.keys(RIGHTS)
  throw by.kind === 'user'
    ? forbidden('id', reason('reason.user-administrator', { roles: names.join(', ') }))
    : forbidden('roles', `Only a user can change a user with the role ${joinOr(names)}, or give these roles.`)
}
