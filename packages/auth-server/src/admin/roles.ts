import { quote } from '@frontdesk/service-kit/showable'
import type { RequiredAcr } from '../oauth/acr.js'
import { isAdminScope, isBuiltIn, builtInRoles } from '../oauth/admin-scopes.js'
import { isOfOpenid } from '../oauth/openid-scopes.js'
import { whyNotRoleName } from '../oauth/role-name.js'
import { parseScope } from '../oauth/scope.js'
import type { Role } from '../stores/access/roles.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { edited, type ListEdit } from './list-edit.js'
import { assertValid, conflict, taken, unknown, type Refusal } from './refusal.js'
import { reason, type Reason } from '../languages/reason.js'
import { suggested } from './suggested.js'

/** Limited, because each session reads the scopes that its user cannot grant. */
export const MAX_ROLES = 100
const MAX_SCOPES = 50

/** Stores of actions on roles. */
type RoleStores = Pick<Stores, 'roles'> & Recording

/** A changed role. `free`: scopes that it lost and no role has, so that everyone can grant them. */
export interface ChangedRole extends Role { readonly free: readonly string[] }

/** A role, and how many users have it. Larger numbers than 10,000 are 10,001. */
export interface ListedRole extends Role { readonly people: number }

/** All roles that users can have, the built-in ones first. */
export async function findRoles ({ roles }: Pick<Stores, 'roles'>): Promise<Role[]> {
  return [...Object.entries(builtInRoles).map(([name, scopes]) => ({ name, scopes, requiredAcr: null })), ...await roles.list()]
}

/** The same, with how many users have each. */
export async function listRoles (stores: Pick<Stores, 'roles'>): Promise<ListedRole[]> {
  const [all, people] = await Promise.all([findRoles(stores), stores.roles.people()])
  return all.map(role => ({ ...role, people: people.get(role.name) ?? 0 }))
}

/** A role to add, with space-separated scopes. */
interface NewRole { readonly name: string, readonly scopes: string, readonly requiredAcr?: RequiredAcr | null | undefined }

/** Reserves scopes for the users with a new role. @throws Refusal */
export async function addRole (stores: RoleStores, { name, scopes, requiredAcr = null }: NewRole, by: Actor): Promise<Role> {
  const parsed = readRole(name, scopes)
  if ((await stores.roles.list()).length >= MAX_ROLES) throw tooManyRoles()
  const details = { role: name, scopes: parsed, ...requiredAcr !== null && { requiredAcr } }
  const { roles } = recorded(stores, 'role add', { details }, by)
  if (!await roles.add(name, parsed, requiredAcr)) throw taken('role', reason('reason.role-exists', { role: quote(name) }))
  return { name, scopes: parsed, requiredAcr }
}

/** The changed fields of a role. */
export interface RoleChange {
  /** All scopes, space-separated, or an edit. */
  readonly scopes?: string | ListEdit | undefined
  readonly requiredAcr?: RequiredAcr | null | undefined
}

/** Changes a role. @throws Refusal */
export async function changeRole (stores: RoleStores, name: string, { scopes, requiredAcr }: RoleChange, by: Actor): Promise<ChangedRole> {
  const before = pickRole(await findRoles(stores), name)
  const acr = requiredAcr === undefined ? {} : { requiredAcr }
  // as: the result of the change.
  const about = (done: unknown) => ({ details: { role: name, scopes: (done as Role).scopes, ...acr } })
  const { roles } = recorded(stores, 'role change', about, by)
  const scopesOf = (present: readonly string[]) => scopes === undefined
    ? present
    : readRole(name, typeof scopes === 'string' ? scopes : edited(present, scopes, 'scope').join(' '))
  const role = await roles.change(name, scopesOf, requiredAcr)
  if (role === null) throw await unknownRole(stores, name)
  return { ...role, free: await freeOf(stores, before.scopes) }
}

/** Removes a role, including from its users. @throws Refusal */
export async function removeRole (stores: RoleStores, name: string, by: Actor): Promise<ChangedRole> {
  const role = pickRole(await findRoles(stores), name)
  const { roles } = recorded(stores, 'role remove', { details: { role: name } }, by)
  if (!await roles.remove(name)) throw await unknownRole(stores, name)
  return { ...role, free: await freeOf(stores, role.scopes) }
}

/** Finds a role that operators can change. @throws Refusal if there is no such role, or it is built in */
export function pickRole<Any extends Role> (all: readonly Any[], name: string): Any {
  assertOwn(name)
  const found = all.find(role => role.name === name)
  if (found === undefined) throw noRole(name, all.map(({ name }) => name))
  return found
}

/** A reason for each role that does not exist. @param list lists all roles; not called without names */
export async function missingRoles (names: readonly string[], list: () => Promise<readonly Role[]>): Promise<Reason[]> {
  if (names.length === 0) return []
  const known = new Set((await list()).map(({ name }) => name))
  return names.filter(name => !known.has(name)).map(name => reason('reason.role-missing', { role: name }))
}

/** Makes the error for the first unknown of some roles. */
export async function unknownRole ({ roles }: Pick<Stores, 'roles'>, ...names: readonly string[]): Promise<Refusal> {
  const known = (await findRoles({ roles })).map(({ name }) => name)
  return noRole(names.find(name => !known.includes(name)) ?? '', known)
}

function noRole (name: string, known: readonly string[]): Refusal {
  return unknown('role', suggested(reason('reason.unknown-role', { role: quote(name) }), name, known))
}

/** Reads the scopes of a role. @throws Refusal with all faults of the name and the scopes */
export function readRole (name: string, scopes: string): string[] {
  assertValid(whyNotRole(name, scopes))
  return parseScope(scopes)
}

/** Why a role is not valid; `null` for each rule that it keeps. */
export function whyNotRole (name: string, scopes: string): Record<'name' | 'scopes', Array<Reason | null>> {
  const parsed = parseScope(scopes)
  return {
    name: [
      whyNotRoleName(name),
      whyBuiltIn(name)
    ],
    scopes: [
      parsed.length > 0 && parsed.join(' ') === scopes && parsed.every(({ length }) => length <= 100)
        ? null
        : reason('reason.role-scopes'),
      parsed.length <= MAX_SCOPES ? null : reason('reason.role-scopes-many', { maximum: MAX_SCOPES }),
      parsed.some(isOfOpenid) ? reason('reason.role-openid-scopes') : null,
      parsed.some(isAdminScope) ? reason('reason.role-admin-scopes') : null
    ]
  }
}

/** Makes the refusal for a role beyond the limit. */
export function tooManyRoles (): Refusal {
  return conflict('name', reason('reason.role-limit', { maximum: MAX_ROLES }))
}

/** Why a name is not one of a role that operators manage; `null` if it is. */
function whyBuiltIn (name: string): Reason | null {
  return isBuiltIn(name.toLowerCase()) ? reason('reason.role-built-in', { role: quote(name.toLowerCase()) }) : null
}

/** @throws Refusal for a built-in role */
function assertOwn (name: string): void {
  assertValid({ name: [whyBuiltIn(name)] })
}

async function freeOf ({ roles }: Pick<Stores, 'roles'>, before: readonly string[]): Promise<string[]> {
  const all = await roles.list()
  return before.filter(scope => !all.some(({ scopes }) => scopes.includes(scope)))
}
