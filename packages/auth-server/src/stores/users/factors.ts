import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { factorKey } from '../../generated/tables.js'
import type { RequiredAcr } from '../../oauth/acr.js'
import { enrolledFactors, FACTOR_TABLE, hasFactorStep, unreachedAcrStep } from '../access/enrolled-factors.js'
import { openStoredDataKey, type StoredDataKey } from '../data-key.js'
import { openAuthenticators, type Authenticators } from './authenticators.js'
import { openPasskeys, type ListedPasskey, type Passkeys } from './passkeys.js'
import { openRecoveryCodes, removeRecoveryCodes, type RecoveryCodes } from './recovery-codes.js'
import { isUser, type UserKey } from './user-columns.js'
import { findStanding, type Standing } from './standing.js'
import { endTrustStep } from './trusted-browsers.js'
import { lockVerified, type VerifiedUser } from './verified-user.js'

/** The last factor that reaches the level of a user's role cannot be removed. Nothing was changed. */
export class FactorRequiredError extends Error {
  readonly acr: RequiredAcr

  constructor (acr: RequiredAcr) {
    super('A role of the user requires a factor.')
    this.acr = acr
  }
}

const ENROLLED = { createdAt: 'datetime?', lastUsedAt: 'datetime?', recoveryCodes: 'int' } as const

/** The factors of a user. */
export interface EnrolledFactors {
  /** The authenticator app; `null`: none. `lastUsedAt`: the last sign-in with it. */
  readonly authenticator: { readonly createdAt: Date, readonly lastUsedAt: Date | null } | null
  readonly passkeys: readonly ListedPasskey[]
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number
}

/** The second factors of users. */
export interface FactorStore {
  readonly authenticators: Authenticators
  readonly passkeys: Passkeys
  readonly recoveryCodes: RecoveryCodes
  /** The key that encrypts the secrets of authenticator apps. */
  readonly key: StoredDataKey
  /** The factors of a user. */
  find (userId: string): Promise<EnrolledFactors>
  /** What decides how a user can set up a factor; `null`: unknown. */
  standing (userId: string): Promise<Standing | null>
  /**
   * Atomic: removes the authenticator app and all trusted browsers, and with the last factor the recovery codes. Returns `false`, with
   * nothing changed, if there is none, or the password was changed or access revoked since it was verified.
   * @throws FactorRequiredError
   */
  removeAuthenticator (user: VerifiedUser): Promise<boolean>
  /** The same for a passkey. @throws FactorRequiredError */
  removePasskey (user: VerifiedUser, id: string): Promise<boolean>
  /**
   * Atomic: removes all factors, recovery codes and trusted browsers, also if a role requires a factor. Returns the kinds of the removed
   * factors; `null` for an unknown user.
   */
  removeAll (user: UserKey): Promise<readonly string[] | null>
}

export function openFactors (connection: Connection): FactorStore {
  const lock = raw(lockInOrder(connection, 'id', 'FOR NO KEY UPDATE'))
  const kinds = raw(enrolledFactors('user_account.id'))

  /** Removes one factor. @throws FactorRequiredError */
  const remove = (user: VerifiedUser, deletion: Sql) => connection.transact(function * (): Steps<boolean> {
    if (!(yield * lockVerified(connection, user))) return false
    if ((yield * executeStep(connection, deletion)) === 0) return false
    const unreached = yield * unreachedAcrStep(connection, user.id)
    if (unreached !== null) throw new FactorRequiredError(unreached)
    yield * endTrustStep(connection, user.id)
    if (!(yield * hasFactorStep(connection, user.id))) yield * removeRest(connection, user.id)
    return true
  })

  const passkeys = openPasskeys(connection)
  return {
    authenticators: openAuthenticators(connection),
    passkeys,
    recoveryCodes: openRecoveryCodes(connection),
    key: openStoredDataKey(connection, factorKey),
    async find (userId) {
      const [listed, rows] = await Promise.all([passkeys.list(userId), query(connection, ENROLLED, sql`
        SELECT created_at, last_used_at, (SELECT COUNT(*) FROM recovery_code WHERE recovery_code.user_id = ${userId})
        FROM (SELECT 1) AS one LEFT JOIN authenticator ON authenticator.user_id = ${userId}`)])
      const [{ createdAt, lastUsedAt, recoveryCodes }] = rows as [Row<typeof ENROLLED>] // as: one row.
      return { authenticator: createdAt && { createdAt, lastUsedAt }, passkeys: listed, recoveryCodes }
    },
    standing: userId => findStanding(connection, userId),
    removeAuthenticator: user => remove(user, sql`DELETE FROM authenticator WHERE user_id = ${user.id}`),
    removePasskey: (user, id) => remove(user, sql`DELETE FROM passkey WHERE user_id = ${user.id} AND id = ${id}`),
    removeAll: user => connection.transact(function * (): Steps<readonly string[] | null> {
      const [locked] = yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM user_account WHERE ${isUser(user)} ${lock}`)
      if (locked === undefined) return null
      const [had] = yield * queryStep(connection, { kinds: 'string?' }, sql`SELECT ${kinds} FROM user_account WHERE id = ${locked.id}`)
      for (const table of Object.values(FACTOR_TABLE)) {
        yield * executeStep(connection, sql`DELETE FROM ${raw(table)} WHERE user_id = ${locked.id}`)
      }
      yield * removeRest(connection, locked.id)
      return had?.kinds?.split(' ') ?? []
    })
  }
}

/** Removes what depends on factors after the last one was removed. A step of a transaction that has locked the user. */
export function * removeRest (connection: Connection, userId: string): Steps<void> {
  yield * removeRecoveryCodes(connection, userId)
  yield * endTrustStep(connection, userId)
}
