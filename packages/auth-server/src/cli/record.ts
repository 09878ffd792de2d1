import { userInfo } from 'node:os'
import type { AuditRow } from '../stores/audit.js'
import type { Stores } from '../stores/stores.js'
import { timeId } from '@frontdesk/service-kit/time-id'

type About = Partial<Pick<AuditRow, 'clientId' | 'userId' | 'details'>>

/** Records the change of a command in the audit trail, with the operating system's user. */
export async function record (
  { audit, clock }: Pick<Stores, 'audit' | 'clock'>,
  event: string,
  { clientId = null, userId = null, details = {} }: About = {}
): Promise<void> {
  const at = clock.now()
  await audit.add([{
    id: timeId(at), at, event, outcome: 'done', userId, clientId, source: 'cli', requestId: null, details: { ...details, by: whoami() }
  }])
}

/** The user's name; the user id if it has no name, as in a container. */
function whoami (): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
