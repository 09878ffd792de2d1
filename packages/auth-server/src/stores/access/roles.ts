import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createAccessEnd } from './end-access.js'

/** A role of people. */
export interface Role {
  readonly name: string
  /** What only people with this role, or another one that has it, may grant. */
  readonly scopes: readonly string[]
  /** How many people have it. */
  readonly people: number
}

/** The roles of people. A scope that no role has may be granted by anyone. */
export interface Roles {
  /** All of them, by name. */
  list (): Promise<Role[]>
  /** Adds a role. Returns `false`, with nothing changed, if the name is taken. */
  add (name: string, scopes: readonly string[]): Promise<boolean>
  /**
   * Replaces the scopes of a role. Returns the new ones; `null` for an unknown name.
   * @param scopes or what computes them from those of the role, which stays locked until then: it may be called again, and what
   *   it throws rolls back
   */
  change (name: string, scopes: readonly string[] | ((before: readonly string[]) => readonly string[])): Promise<readonly string[] | null>
  /** Removes a role, including from its users. Returns `false` for an unknown name. */
  remove (name: string): Promise<boolean>
  /** The names of the roles that a person has. */
  of (userId: string): Promise<string[]>
  /**
   * Replaces the roles of a person. Returns `false`, with nothing changed, if one is unknown. If one is taken away, the access
   * tokens of the person are revoked; their grants stay, and give the next tokens without its scopes.
   */
  assign (userId: string, roles: readonly string[]): Promise<boolean>
  /** The same for single roles: concurrent changes of others are kept. Removing a role that a person does not have has no effect. */
  edit (userId: string, change: { readonly add: readonly string[], readonly remove: readonly string[] }): Promise<boolean>
}

/** A role, as a file has it. */
export type WrittenRole = Pick<Role, 'name' | 'scopes'>

/** Changes of roles, as steps of a transaction. */
interface RoleChanges {
  /** Adds a role. Returns `false`, with nothing changed, if the name is taken. */
  add (role: WrittenRole): Steps<boolean>
  /** Replaces the scopes of a role. Returns `false` for an unknown name. */
  change (role: WrittenRole): Steps<boolean>
  /** Removes a role, including from its users. Returns `false` for an unknown name. */
  remove (name: string): Steps<boolean>
}

/** {@link RoleChanges} in SQL. */
export function createRoleChanges (connection: Connection): RoleChanges {
  const now = raw(databaseTime(connection))

  function * addScopes ({ name, scopes }: WrittenRole): Steps<void> {
    if (scopes.length === 0) return
    yield * queryStep(connection, {}, sql`INSERT INTO role_scope (role, scope) VALUES ${join(scopes.map(scope => sql`(${name}, ${scope})`))}`)
  }

  return {
    * add (role) {
      const added = yield * queryStep(connection, { name: 'string' }, sql`
        INSERT INTO role (name, created_at) VALUES (${role.name}, ${now}) ON CONFLICT DO NOTHING RETURNING name`)
      if (added.length > 0) yield * addScopes(role)
      return added.length > 0
    },
    * change (role) {
      const { name } = role
      // Locks the role: concurrent changes of it wait.
      const found = yield * queryStep(connection, { name: 'string' }, sql`UPDATE role SET name = name WHERE name = ${name} RETURNING name`)
      if (found.length === 0) return false
      yield * queryStep(connection, {}, sql`DELETE FROM role_scope WHERE role = ${name}`)
      yield * addScopes(role)
      return true
    },
    * remove (name) {
      return (yield * queryStep(connection, { name: 'string' }, sql`DELETE FROM role WHERE name = ${name} RETURNING name`)).length > 0
    }
  }
}

/** {@link Roles} in a database. */
export function openRoles (connection: Connection): Roles {
  const access = createAccessEnd(connection)
  const changes = createRoleChanges(connection)

  /** Takes the roles that the condition names from a person, and gives others. */
  function * exchange (userId: string, lost: Sql, given: readonly string[], named: readonly string[]): Steps<boolean> {
    const known = yield * queryStep(connection, { name: 'string' }, sql`SELECT name FROM role WHERE name IN (${list(named)})`)
    if (known.length < new Set(named).size) return false
    const taken = yield * queryStep(connection, { role: 'string' }, sql`
      DELETE FROM user_role WHERE user_id = ${userId} AND ${lost} RETURNING role`)
    yield * queryStep(connection, {}, sql`
      INSERT INTO user_role (user_id, role) SELECT user_account.id, role.name FROM role JOIN user_account ON user_account.id = ${userId}
      WHERE role.name IN (${list(given)}) ON CONFLICT DO NOTHING`)
    if (taken.length > 0) yield * access.steps([{ userId, keepsGrants: true }])
    return true
  }

  return {
    async list () {
      const rows = await query(connection, { name: 'string', scopes: 'string?', people: 'int' }, sql`
        SELECT name, (SELECT string_agg(scope, ' ') FROM role_scope WHERE role = name),
          (SELECT COUNT(*) FROM user_role WHERE role = name) FROM role ORDER BY name`)
      return rows.map(({ scopes, ...role }) => ({ ...role, scopes: scopes?.split(' ').sort() ?? [] }))
    },
    add: (name, scopes) => connection.transact(() => changes.add({ name, scopes })),
    change: (name, scopes) => connection.transact(function * () {
      // Locks the role: concurrent changes of it wait.
      yield * queryStep(connection, {}, sql`UPDATE role SET name = name WHERE name = ${name}`)
      const rows = yield * queryStep(connection, { scope: 'string' }, sql`SELECT scope FROM role_scope WHERE role = ${name} ORDER BY scope`)
      const wanted = typeof scopes === 'function' ? scopes(rows.map(({ scope }) => scope)) : scopes
      return (yield * changes.change({ name, scopes: wanted })) ? wanted : null
    }),
    remove: name => connection.transact(() => changes.remove(name)),
    async of (userId) {
      const rows = await query(connection, { role: 'string' }, sql`SELECT role FROM user_role WHERE user_id = ${userId} ORDER BY role`)
      return rows.map(({ role }) => role)
    },
    assign: (userId, roles) => connection.transact(() => exchange(userId, sql`role NOT IN (${list(roles)})`, roles, roles)),
    edit: (userId, { add, remove }) =>
      connection.transact(() => exchange(userId, sql`role IN (${list(remove)})`, add, [...add, ...remove]))
  }
}

/** SQL of names. Adds a value that is not a name, because an empty list is not valid SQL. */
function list (names: readonly string[]): Sql {
  return join(['', ...names])
}
