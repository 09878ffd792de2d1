import type { Connection } from '@frontdesk/database/connection'
import { createLookup } from '@frontdesk/database/lookup'
import type { Row } from '@frontdesk/database/rows'
import { enrolledFactors } from '../access/enrolled-factors.js'
import { grantEpoch, isAdmitted, withheld } from '../access/live-grant.js'
import { requiredAcr } from '../access/required-acr.js'
import { foldedEmail, foldEmail, foldUsername, keyOf, USER, userColumns, type UserKey } from './user-columns.js'

/** A user who signs in at a client. */
export interface FoundUser extends Row<typeof USER> {
  /** See {@link grantEpoch}. */
  readonly grantEpoch: number
  /** Scopes that the user cannot grant, space-separated; `null`: none. */
  readonly withheld: string | null
  /** Whether the user has a sign-in role of the client, or it has none. */
  readonly isAdmitted: boolean
  /** The highest level that a role of the user requires; `null`: none. */
  readonly requiredAcr: string | null
  /** Kinds of the factors that the user has enrolled, space-separated; `null`: none. */
  readonly factors: string | null
  /** Language tag; `null`: none. */
  readonly locale: string | null
}

export interface UserLookup {
  /** A user, disabled or not; `null` if unknown. Concurrent calls with a user name share a statement. */
  find (user: UserKey, clientId?: string): Promise<FoundUser | null>
  /**
   * The user who signs in: the one with this user name, disabled or not; else the only enabled user with this verified email
   * address; `null` if there is none. One statement, which concurrent calls share.
   */
  findForSignIn (typed: string, clientId?: string): Promise<FoundUser | null>
}

export function openUserLookup (connection: Connection): UserLookup {
  const byName = create(connection, 'user_account.username_key = entry.key')
  const byId = create(connection, 'user_account.id = entry.key')
  // Two matches are enough to know that the address is shared.
  const byNameOrAddress = create(connection, `user_account.id = COALESCE(
    (SELECT named.id FROM user_account AS named WHERE named.username_key = entry.key),
    (SELECT CASE WHEN COUNT(*) = 1 THEN MIN(sharing.id) END FROM (
      SELECT addressed.id FROM user_account AS addressed
      WHERE ${foldedEmail(connection, 'addressed.email')} = entry.address AND addressed.email_verified AND addressed.disabled_at IS NULL
      LIMIT 2
    ) AS sharing))`)
  return {
    async find (user, clientId = '') {
      const key = keyOf(user)
      // PostgreSQL rejects NUL in text.
      if (key.includes('\0')) return null
      return await (typeof user === 'string' ? byName : byId)({ key, address: '', clientId })
    },
    async findForSignIn (typed, clientId = '') {
      return typed.includes('\0') ? null : await byNameOrAddress({ key: foldUsername(typed), address: foldEmail(typed), clientId })
    }
  }
}

function create (connection: Connection, condition: string) {
  const entry = { key: 'string', address: 'string', clientId: 'string' } as const
  const row = {
    ...entry, ...USER, grantEpoch: 'int', withheld: 'string?', isAdmitted: 'boolean', requiredAcr: 'string?', factors: 'string?', locale: 'string?'
  } as const
  const find = createLookup(connection, {
    entry,
    sql: entries => `
      SELECT ${userColumns(row, {
        key: 'entry.key',
        address: 'entry.address',
        clientId: 'entry.client_id',
        grantEpoch: grantEpoch('user_account.id', 'entry.client_id'),
        withheld: withheld('user_account.id'),
        isAdmitted: isAdmitted('user_account.id', 'entry.client_id'),
        requiredAcr: requiredAcr('user_account.id'),
        factors: enrolledFactors('user_account.id'),
        locale: 'user_account.locale'
      })}
      FROM ${entries} JOIN user_account ON ${condition}`,
    row
  }, 'key', 'address', 'clientId')
  return async (sought: Row<typeof entry>): Promise<FoundUser | null> => {
    const found = await find(sought)
    if (found === null) return null
    const { key: _key, address: _address, clientId: _clientId, ...user } = found
    return user
  }
}
