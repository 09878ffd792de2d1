import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { requiredAcrOf, type RequiredAcr } from '../../oauth/acr.js'
import { builtInRoles, isBuiltIn } from '../../oauth/admin-scopes.js'
import { boundedCount } from './bounded-count.js'
import { createAccessEnd } from './end-access.js'

/** A role of users. */
export interface Role {
  readonly name: string
  /** Scopes that only users with this role, or another one that has them, can grant. */
  readonly scopes: readonly string[]
  /** The level that its users must reach when they sign in; `null`: a password suffices. */
  readonly requiredAcr: RequiredAcr | null
}

type NewScopes = readonly string[] | ((before: readonly string[]) => readonly string[])

/** All roles of a user; or roles to add and to remove, which keeps concurrent changes of others. */
export type UserRoles = readonly string[] | { readonly add: readonly string[], readonly remove: readonly string[] }

/** Changes of roles, as steps of a transaction. */
interface RoleChanges {
  /** Adds a role. Returns `false`, with nothing changed, if the name is taken. */
  add (role: Role): Steps<boolean>
  /**
   * Replaces the scopes of a role, and its required level unless that is `undefined`. Returns the changed role; `null` for an unknown name.
   * @param scopes or a function that computes them from the present ones while the role is locked. It can be called again for a
   *   retry; if it throws, nothing is changed
   */
  change (name: string, scopes: NewScopes, requiredAcr?: RequiredAcr | null): Steps<Role | null>
  /** Removes a role, including from its users. Returns `false` for an unknown name. */
  remove (name: string): Steps<boolean>
}

export function createRoleChanges (connection: Connection): RoleChanges {
  const now = raw(databaseTime(connection))

  function * addScopes (name: string, scopes: readonly string[]): Steps<void> {
    if (scopes.length === 0) return
    const values = join(scopes.map(scope => sql`(${name}, ${scope})`))
    yield * queryStep(connection, {}, sql`INSERT INTO role_scope (role, scope) VALUES ${values}`)
  }

  return {
    * add (role) {
      const added = yield * executeStep(connection, sql`
        INSERT INTO role (name, required_acr, created_at) VALUES (${role.name}, ${role.requiredAcr}, ${now}) ON CONFLICT DO NOTHING`)
      if (added > 0) yield * addScopes(role.name, role.scopes)
      return added > 0
    },
    * change (name, scopes, wantedAcr) {
      const acr = wantedAcr === undefined ? raw('required_acr') : sql`${wantedAcr}`
      // Locks the role: concurrent changes of it wait.
      const [changed] = yield * queryStep(connection, { requiredAcr: 'string?' }, sql`
        UPDATE role SET required_acr = ${acr} WHERE name = ${name} RETURNING required_acr`)
      if (changed === undefined) return null
      const before = yield * queryStep(connection, { scope: 'string' }, sql`DELETE FROM role_scope WHERE role = ${name} RETURNING scope`)
      const wanted = typeof scopes === 'function' ? scopes(before.map(({ scope }) => scope).sort()) : scopes
      yield * addScopes(name, wanted)
      return { name, scopes: wanted, requiredAcr: requiredAcrOf(changed.requiredAcr) }
    },
    * remove (name) {
      return (yield * executeStep(connection, sql`DELETE FROM role WHERE name = ${name}`)) > 0
    }
  }
}

/** Changes of a user's roles, as steps of a transaction. */
export function createAssignment (connection: Connection) {
  const access = createAccessEnd(connection)
  const { add } = createRoleChanges(connection)
  return {
    /** Whether all roles exist that a change names. */
    * isKnown (change: UserRoles): Steps<boolean> {
      const named = 'add' in change ? [...change.add, ...change.remove] : change
      const added = new Set(named.filter(name => !isBuiltIn(name)))
      const known = yield * queryStep(connection, { name: 'string' }, sql`SELECT name FROM role WHERE name IN (${list([...added])})`)
      return known.length === added.size
    },
    /** The names of a user's roles. */
    * of (userId: string): Steps<string[]> {
      const rows = yield * queryStep(connection, { role: 'string' }, rolesOf(userId))
      return rows.map(({ role }) => role)
    },
    /** See {@link openRoles}. */
    * assign (userId: string, change: UserRoles): Steps<void> {
      const [lost, given] = 'add' in change
        ? [sql`role IN (${list(change.remove)})`, change.add]
        : [sql`role NOT IN (${list(change)})`, change]
      // Makes a concurrent password change by link wait, and then fail.
      yield * lockUser(connection, userId)
      // Built-in roles have a row once a user has them.
      for (const name of given.filter(isBuiltIn)) yield * add({ name, scopes: [], requiredAcr: null })
      const taken = yield * executeStep(connection, sql`DELETE FROM user_role WHERE user_id = ${userId} AND ${lost}`)
      const added = yield * queryStep(connection, { role: 'string' }, sql`
        INSERT INTO user_role (user_id, role) SELECT user_account.id, role.name FROM role JOIN user_account ON user_account.id = ${userId}
        WHERE role.name IN (${list(given)}) ON CONFLICT DO NOTHING RETURNING role`)
      if (added.some(({ role }) => isBuiltIn(role))) yield * access.steps([{ userId }])
      else if (taken > 0) yield * access.steps([{ userId, keepsGrants: true }])
    }
  }
}

const LISTED = { name: 'string', requiredAcr: 'string?', scopes: 'string?' } as const

const LIST = sql`
  SELECT name, required_acr, (SELECT string_agg(scope, ' ') FROM role_scope WHERE role = name)
  FROM role WHERE name NOT IN (${list(Object.keys(builtInRoles))}) ORDER BY name`

function toRole ({ name, scopes, requiredAcr }: Row<typeof LISTED>): Role {
  return { name, scopes: scopes?.split(' ').sort() ?? [], requiredAcr: requiredAcrOf(requiredAcr) }
}

/** All roles that operators have added, by name, as a step of a transaction. */
export function * listRolesStep (connection: Connection): Steps<Role[]> {
  return (yield * queryStep(connection, LISTED, LIST)).map(toRole)
}

/** Opens the roles of users. All users can grant a scope that no role has. */
export function openRoles (connection: Connection) {
  const changes = createRoleChanges(connection)
  const { isKnown, assign } = createAssignment(connection)
  return {
    /** All roles that operators have added, by name. */
    list: async () => (await query(connection, LISTED, LIST)).map(toRole),
    /** How many users have each role: a {@link boundedCount}. Omits built-in roles that were never given. */
    async people (): Promise<Map<string, number>> {
      const counts = await query(connection, { name: 'string', people: 'int' }, sql`
        SELECT name, ${boundedCount(sql`user_role WHERE user_role.role = role.name`)} FROM role`)
      return new Map(counts.map(({ name, people }) => [name, people]))
    },
    /** See {@link RoleChanges}, each in a transaction. */
    add: (name: string, scopes: readonly string[], requiredAcr: RequiredAcr | null = null) =>
      connection.transact(() => changes.add({ name, scopes, requiredAcr })),
    change: (name: string, scopes: NewScopes, requiredAcr?: RequiredAcr | null) =>
      connection.transact(() => changes.change(name, scopes, requiredAcr)),
    remove: (name: string) => connection.transact(() => changes.remove(name)),
    /** The names of a user's roles. */
    async of (userId: string) {
      return (await query(connection, { role: 'string' }, rolesOf(userId))).map(({ role }) => role)
    },
    /**
     * Changes a user's roles. Returns `false`, with nothing changed, if a role is unknown. If the user loses a role, their access
     * tokens are revoked; their grants stay live, and issue new tokens without its scopes. If they get a built-in role, all access
     * ends, with sessions, codes, devices and links that set a password: what began before must not reach an administrator's account.
     */
    assign: (userId: string, roles: UserRoles) => connection.transact(function * () {
      if (!(yield * isKnown(roles))) return false
      yield * assign(userId, roles)
      return true
    })
  }
}

/** Locks a user before a statement that depends on more than the user's row. SQLite has one writer. */
export function * lockUser (connection: Connection, id: string): Steps<void> {
  const lock = raw(lockInOrder(connection, 'id', 'FOR NO KEY UPDATE'))
  yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM user_account WHERE id = ${id} ${lock}`)
}

function rolesOf (userId: string): Sql {
  return sql`SELECT role FROM user_role WHERE user_id = ${userId} ORDER BY role`
}

/** SQL list of names, with an empty one: a list without values is not valid SQL. */
function list (names: readonly string[]): Sql {
  return join(['', ...names])
}
