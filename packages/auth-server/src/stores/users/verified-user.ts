import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { existsStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { accessEpoch } from '../access/live-grant.js'
import { lockUser } from '../access/roles.js'
import type { USER } from './user-columns.js'

/** A user whose password was verified, as read for it. */
export type VerifiedUser = Pick<Row<typeof USER>, 'id' | 'passwordHash' | 'epoch'>

/**
 * Locks a user. Returns whether the verified password is still the current one, access was not revoked since it was read, and the user is
 * neither disabled nor removed. The first step of a transaction.
 */
export function * lockVerified (connection: Connection, { id, passwordHash, epoch }: VerifiedUser): Steps<boolean> {
  // A statement of its own, so that the next one sees the changes that it waited for.
  yield * lockUser(connection, id)
  return yield * existsStep(connection, sql`
    SELECT 1 FROM user_account WHERE id = ${id} AND password_hash = ${passwordHash} AND disabled_at IS NULL
    AND ${raw(accessEpoch('user_account.id', "''"))} = ${epoch}`)
}
