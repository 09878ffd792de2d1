import type { Users } from '../users.js'
import { createAccessEnd } from './end-access.js'
import { foldUsername } from './fold-username.js'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Steps } from '@frontdesk/database/steps'

/** Tables with rows of a person beyond those that go with the account: sessions and remembered consent. */
const TABLES = ['refresh_token', 'authorization_code', 'access_grant', 'access_epoch']

/** Removes people with everything held about them. */
export function openUserErasure (connection: Connection): Pick<Users, 'remove'> {
  const access = createAccessEnd(connection)
  const accounts = new ValuesStatement(connection, list => `DELETE FROM user_account WHERE username_key IN (${list}) RETURNING id`, ['string'])
  const rest = TABLES.map(table => new ValuesStatement(connection, list => `DELETE FROM ${table} WHERE user_id IN (${list})`, ['string']))
  return {
    remove: username => connection.transact(function * (): Steps<string | null> {
      const [removed] = yield accounts.query([[foldUsername(username)]])
      if (removed === undefined) return null
      // as: its one column.
      const userId = removed[0] as string
      // Access tokens end at resource servers too. What is in flight is not live without the account.
      yield * access.steps([{ userId }])
      for (const table of rest) yield table.query([[userId]])
      return userId
    })
  }
}
