import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, query, raw, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { USER, userColumns } from './user-columns.js'

const INVITED = { ...USER, ...pick(user, 'name', 'locale'), email: 'string' } as const

/** A user whose invitation is due. */
export type Invited = Row<typeof INVITED>

/** The invitations to email: a transactional outbox. */
export interface Invitations {
  /** Atomic: claims users whose invitation is due, for {@link CLAIM_S} seconds. Skips disabled ones. */
  claimInvitations (limit: number): Promise<Invited[]>
  /** Records that an invitation was emailed, or permanently refused. */
  finishInvitation (id: string): Promise<void>
}

/** How long a claim lasts, in seconds: longer than an email waits and is retried. */
const CLAIM_S = 20 * 60

export function openInvitations (connection: Connection): Invitations {
  const [now, claimed] = [0, CLAIM_S].map(seconds => raw(databaseTime(connection, seconds)))
  const skipLocked = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE SKIP LOCKED' : '')
  return {
    claimInvitations: async limit => await query(connection, INVITED, sql`
      UPDATE user_account SET invitation_due_at = ${claimed} WHERE invitation_due_at <= ${now} AND id IN (
        SELECT id FROM user_account WHERE invitation_due_at <= ${now} AND email IS NOT NULL AND disabled_at IS NULL
        ORDER BY invitation_due_at LIMIT ${limit} ${skipLocked})
      RETURNING ${raw(userColumns(INVITED))}`),
    async finishInvitation (id) {
      await execute(connection, sql`UPDATE user_account SET invitation_due_at = NULL WHERE id = ${id}`)
    }
  }
}
