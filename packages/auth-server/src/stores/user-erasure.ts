import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { createAccessEnd } from './end-access.js'
import { foldUsername } from './fold-username.js'

/** Part of the users' store. */
export interface UserErasure {
  /**
   * Ends the person's access and erases everything held about them but audit rows, which have only the id. All or nothing.
   * Returns the id; `null` if there is no such person.
   */
  remove (username: string): Promise<string | null>
}

/** Tables with rows of a person beyond those that go with the account: sessions and remembered consent. */
const TABLES = ['refresh_token', 'authorization_code', 'access_grant', 'access_epoch']

/** Removes people with everything held about them. */
export function openUserErasure (connection: Connection): UserErasure {
  const access = createAccessEnd(connection)
  const accounts = new ValuesStatement(connection, list => `DELETE FROM user_account WHERE username_key IN (${list}) RETURNING id`, ['string'], { userId: 'string' })
  const rest = TABLES.map(table => new ValuesStatement(connection, list => `DELETE FROM ${table} WHERE user_id IN (${list})`, ['string']))
  return {
    remove: username => connection.transact(function * (): Steps<string | null> {
      const [removed] = yield * accounts.step([[foldUsername(username)]])
      if (removed === undefined) return null
      const { userId } = removed
      // Access tokens end at resource servers too. What is in flight is not live without the account.
      yield * access.steps([{ userId }])
      for (const table of rest) yield table.query([[userId]])
      return userId
    })
  }
}
