import { timeId } from '@frontdesk/service-kit/time-id'
import type { AuditRow } from '../stores/audit.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'

/** Events of actions. */
export const ADMIN_EVENTS = [
  'client add', 'client update', 'client disable', 'client enable', 'client implicit', 'client revoke', 'client adopt', 'client remove',
  'client secret add', 'client secret remove', 'registration token', 'registration remove',
  'user add', 'user invite', 'user update', 'user rename', 'user passwd', 'user reset-link', 'user sign-out', 'user revoke',
  'user disable', 'user enable', 'user remove', 'role add', 'role change', 'role remove', 'keys rotate', 'keys retire', 'apply'
] as const

type About = Partial<Pick<AuditRow, 'clientId' | 'userId' | 'details'>>

/** Records an action that was done. */
export async function record (
  { audit, clock }: Pick<Stores, 'audit' | 'clock'>,
  event: typeof ADMIN_EVENTS[number],
  { clientId = null, userId = null, details = {} }: About,
  by: Actor
): Promise<void> {
  const at = clock.now()
  const [source, name] = by.kind === 'shell' ? ['cli', by.name] : [by.source, by.userId]
  await audit.add([{
    id: timeId(at), at, event, outcome: 'done', userId, clientId, source, requestId: null, details: { ...details, by: name }
  }])
}
