import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { join, query, queryStep, raw, sql } from '@frontdesk/database/sql'
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
  /** Replaces the scopes of a role. Returns `false` for an unknown name. */
  change (name: string, scopes: readonly string[]): Promise<boolean>
  /** Removes a role, also from people. Returns `false` for an unknown name. */
  remove (name: string): Promise<boolean>
  /** The names of the roles that a person has. */
  of (userId: string): Promise<string[]>
  /**
   * Replaces the roles of a person. Returns `false`, with nothing changed, if one is unknown. If one is taken away, the access
   * tokens of the person are revoked; their grants stay, and give the next tokens without its scopes.
   */
  assign (userId: string, roles: readonly string[]): Promise<boolean>
}

/** A role, as a file has it. */
export type WrittenRole = Pick<Role, 'name' | 'scopes'>

/** Changes of roles, as steps of a transaction. */
export interface RoleChanges {
  /** Adds a role. Returns `false`, with nothing changed, if the name is taken. */
  add (role: WrittenRole): Steps<boolean>
  /** Replaces the scopes of a role. Returns `false` for an unknown name. */
  change (role: WrittenRole): Steps<boolean>
  /** Removes a role, also from people. Returns `false` for an unknown name. */
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
  return {
    async list () {
      const rows = await query(connection, { name: 'string', scopes: 'string?', people: 'int' }, sql`
        SELECT name, (SELECT string_agg(scope, ' ') FROM role_scope WHERE role = name),
          (SELECT COUNT(*) FROM user_role WHERE role = name) FROM role ORDER BY name`)
      return rows.map(({ scopes, ...role }) => ({ ...role, scopes: scopes?.split(' ').sort() ?? [] }))
    },
    add: (name, scopes) => connection.transact(() => changes.add({ name, scopes })),
    change: (name, scopes) => connection.transact(() => changes.change({ name, scopes })),
    remove: name => connection.transact(() => changes.remove(name)),
    async of (userId) {
      const rows = await query(connection, { role: 'string' }, sql`SELECT role FROM user_role WHERE user_id = ${userId} ORDER BY role`)
      return rows.map(({ role }) => role)
    },
    assign: (userId, roles) => connection.transact(function * (): Steps<boolean> {
      // With a value that is no name: an empty list is no SQL.
      const names = join(['', ...roles])
      const known = yield * queryStep(connection, { name: 'string' }, sql`SELECT name FROM role WHERE name IN (${names})`)
      if (known.length < new Set(roles).size) return false
      const lost = yield * queryStep(connection, { role: 'string' }, sql`
        DELETE FROM user_role WHERE user_id = ${userId} AND role NOT IN (${names}) RETURNING role`)
      yield * queryStep(connection, {}, sql`
        INSERT INTO user_role (user_id, role) SELECT user_account.id, role.name FROM role JOIN user_account ON user_account.id = ${userId}
        WHERE role.name IN (${names}) ON CONFLICT DO NOTHING`)
      if (lost.length > 0) yield * access.steps([{ userId, keepsGrants: true }])
      return true
    })
  }
}
