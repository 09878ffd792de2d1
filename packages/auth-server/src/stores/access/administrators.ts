import type { Connection } from '@frontdesk/database/connection'
import { executeStep, existsStep, sql } from '@frontdesk/database/sql'
import type { BuiltInRole } from '../../oauth/admin-scopes.js'

/** A change would leave no administrator who can sign in. Nothing was changed. */
export class LastAdministratorError extends Error {
  constructor () {
    super('No administrator could sign in after this change.')
  }
}

const ADMINISTRATOR: BuiltInRole = 'administrator'

/**
 * A connection whose transactions throw {@link LastAdministratorError} if they take away the last administrator who can sign in:
 * by roles, disabling or erasure. Such changes concern different rows, so all transactions lock one common row first.
 */
export function keepAdministrator (connection: Connection): Connection {
  const canSignIn = () => existsStep(connection, sql`
    SELECT 1 FROM user_role JOIN user_account ON user_account.id = user_role.user_id
    WHERE user_role.role = ${ADMINISTRATOR} AND user_account.disabled_at IS NULL AND user_account.password_set_at IS NOT NULL`)
  return {
    ...connection,
    transact: (steps, mode) => connection.transact(function * () {
      yield * executeStep(connection, sql`UPDATE role SET name = name WHERE name = ${ADMINISTRATOR}`)
      const before = yield * canSignIn()
      const done = yield * steps()
      if (before && !(yield * canSignIn())) throw new LastAdministratorError()
      return done
    }, mode)
  }
}
