import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { execute, executeStep, existsStep, join, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { hasFactorStep } from '../access/enrolled-factors.js'
import { lockVerified, type VerifiedUser } from './verified-user.js'

/** The recovery codes of users. Only hashes are stored. */
export interface RecoveryCodes {
  /**
   * Atomic: replaces all codes of a user. Returns `false`, with nothing changed, if the user has no factor, or the password was changed or
   * access revoked since it was verified.
   */
  replace (user: VerifiedUser, hashes: readonly string[]): Promise<boolean>
  /** Atomic: uses a code up. Exactly one concurrent caller gets `true`. */
  use (userId: string, hash: string): Promise<boolean>
}

export function openRecoveryCodes (connection: Connection): RecoveryCodes {
  return {
    replace: (user, hashes) => connection.transact(function * (): Steps<boolean> {
      if (!(yield * lockVerified(connection, user)) || !(yield * hasFactorStep(connection, user.id))) return false
      yield * removeRecoveryCodes(connection, user.id)
      return yield * addFirstRecoveryCodes(connection, user.id, hashes)
    }),
    use: async (userId, hash) => await execute(connection, sql`
      DELETE FROM recovery_code WHERE user_id = ${userId} AND hash = ${hash}`) === 1
  }
}

/** Adds codes unless the user has any. Returns whether it did. A step of a transaction that has locked the user. */
export function * addFirstRecoveryCodes (connection: Connection, userId: string, hashes: readonly string[]): Steps<boolean> {
  if (yield * existsStep(connection, sql`SELECT 1 FROM recovery_code WHERE user_id = ${userId} LIMIT 1`)) return false
  const now = raw(databaseTime(connection))
  const rows = join(hashes.map(hash => sql`(${userId}, ${hash}, ${now})`))
  yield * executeStep(connection, sql`INSERT INTO recovery_code (user_id, hash, created_at) VALUES ${rows}`)
  return true
}

/** Removes all codes of a user. A step of a transaction that has locked the user. */
export function * removeRecoveryCodes (connection: Connection, userId: string): Steps<void> {
  yield * executeStep(connection, sql`DELETE FROM recovery_code WHERE user_id = ${userId}`)
}
