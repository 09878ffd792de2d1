import type { AuditRow } from '../stores/operation/audit-row.js'
import type { Stores } from '../stores/stores.js'
import type { ExportedRows } from '../stores/users/data-export.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { record, type Recording } from './audit.js'
import { listFailedSignIns } from './failed-sign-ins.js'
import { findDetails, type UserDetails } from './user-details.js'

/** Everything stored about a user, without secrets. `isComplete`: whether no list was cut off. */
type ExportedUser = ExportedRows['rows'] & {
  readonly user: UserDetails & ExportedRows['account']
  readonly failedSignIns: Awaited<ReturnType<typeof listFailedSignIns>>['sources']
  /** Newest first. */
  readonly events: readonly AuditRow[]
  readonly isComplete: boolean
}

const MAX_EVENTS = 1_000

/** Reads everything stored about a user, such as for a GDPR access request (article 15), and records the export. @throws Refusal */
export async function exportUser (
  stores: Pick<Stores, 'users' | 'profiles' | 'roles' | 'counters' | 'audit'> & Recording, key: UserKey, by: Actor
): Promise<ExportedUser> {
  const user = await findDetails(stores, key)
  const { account, rows, isComplete } = await stores.users.exportRows(user.id)
  const events = await stores.audit.list({ userId: user.id }, MAX_EVENTS + 1)
  const { sources: failedSignIns } = await listFailedSignIns(stores, key)
  await record(stores, 'user export', { userId: user.id }, by)
  return {
    user: { ...user, ...account },
    ...rows,
    failedSignIns,
    events: events.slice(0, MAX_EVENTS),
    isComplete: isComplete && events.length <= MAX_EVENTS
  }
}
