import type { Connection } from '@frontdesk/database/connection'
import { executeStep, existsStep, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { builtInRoles, type BuiltInRole } from '../../oauth/admin-scopes.js'

/** Who makes a change without a shell. `roles`: the roles that the right to make it rests on, as read before. */
export type Administrator =
  | { readonly kind: 'user', readonly userId: string, readonly roles: readonly string[] }
  | { readonly kind: 'client', readonly clientId: string }

/** Who makes a change has lost the right to since it was checked. Nothing was changed. */
export class RightLostError extends Error {
  constructor () {
    super('Your rights were changed in the meantime.')
  }
}

/** A change would leave no administrator who can sign in. Nothing was changed. */
export class LastAdministratorError extends Error {
  constructor () {
    super('No administrator could sign in after this change.')
  }
}

const ADMINISTRATOR: BuiltInRole = 'administrator'
const [, WRITE_SCOPE] = builtInRoles.administrator

/**
 * A connection for the changes of operators. All of its transactions lock one common row first: they concern different rows, and a
 * right that is taken away must not be used by a change that commits later.
 * @param by if not a shell: transactions throw {@link RightLostError} if it may not administer any more, and
 *   {@link LastAdministratorError} if they take away the last administrator who can sign in, by roles, disabling or erasure
 */
export function administer (connection: Connection, by: Administrator | undefined): Connection {
  const canSignIn = () => existsStep(connection, sql`
    SELECT 1 FROM user_role JOIN user_account ON user_account.id = user_role.user_id
    WHERE user_role.role = ${ADMINISTRATOR} AND user_account.disabled_at IS NULL AND user_account.password_set_at IS NOT NULL`)
  return {
    ...connection,
    transact: (steps, mode) => connection.transact(function * () {
      yield * executeStep(connection, sql`UPDATE role SET name = name WHERE name = ${ADMINISTRATOR}`)
      if (by === undefined) return yield * steps()
      if (!(yield * hasRight(connection, by))) throw new RightLostError()
      const before = yield * canSignIn()
      const done = yield * steps()
      if (before && !(yield * canSignIn())) throw new LastAdministratorError()
      return done
    }, mode)
  }
}

/** Runs a transaction that depends on an administrator's right; `null`, with nothing changed, if it was lost. */
export async function unlessRightLost<T> (
  connection: Connection, by: Administrator | undefined, steps: () => Steps<T | null>
): Promise<T | null> {
  if (by === undefined) return await connection.transact(steps)
  try {
    return await administer(connection, by).transact(steps)
  } catch (error) {
    if (error instanceof RightLostError) return null
    throw error
  }
}

/** SQL condition that who created a row of a table, if it was no shell, may still administer. */
export function creatorMayAdminister (table: string): Sql {
  const [userId, clientId] = ['user_id', 'client_id'].map(column => raw(`${table}.${column}`))
  return sql`(${userId} IS NULL OR EXISTS (${rolesOf(userId!)} AND role = ${ADMINISTRATOR}))
    AND (${clientId} IS NULL OR EXISTS (${administering(clientId!)}))`
}

function rolesOf (userId: Sql): Sql {
  return sql`
    SELECT role FROM user_role JOIN user_account ON user_account.id = user_role.user_id
    WHERE user_role.user_id = ${userId} AND user_account.disabled_at IS NULL`
}

function administering (clientId: Sql): Sql {
  return sql`
    SELECT 1 FROM client WHERE id = ${clientId} AND disabled_at IS NULL AND registered_by = 'operator'
    AND ' ' || allowed_scope || ' ' LIKE ${`% ${WRITE_SCOPE} %`}`
}

function * hasRight (connection: Connection, by: Administrator): Steps<boolean> {
  if (by.kind === 'client') return yield * existsStep(connection, administering(sql`${by.clientId}`))
  const held = yield * queryStep(connection, { role: 'string' }, rolesOf(sql`${by.userId}`))
  return by.roles.every(role => held.some(it => it.role === role))
}
