import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, existsStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { hash } from 'node:crypto'
import { foldedEmail, foldEmail } from './user-columns.js'

/** How long the row that locks an address is kept, in seconds: it matters only during the transaction. */
const LOCK_S = 60

/**
 * Makes concurrent transactions that add a user with one email address wait for each other: addresses are not unique, so that no index
 * decides. The first step. Returns whether a user has the address, verified: one that is only entered proves nothing, and blocks no one.
 */
export function * lockAddress (connection: Connection, email: string): Steps<boolean> {
  const idHash = hash('sha256', `address ${foldEmail(email)}`, 'base64url')
  yield * executeStep(connection, sql`
    INSERT INTO spent_id (id_hash, expires_at) VALUES (${idHash}, ${raw(databaseTime(connection, LOCK_S))})
    ON CONFLICT (id_hash) DO UPDATE SET expires_at = excluded.expires_at`)
  // A statement of its own, so that it sees the users for whom it waited.
  return yield * existsStep(connection, sql`
    SELECT 1 FROM user_account WHERE ${raw(foldedEmail(connection))} = ${foldEmail(email)} AND email_verified`)
}
