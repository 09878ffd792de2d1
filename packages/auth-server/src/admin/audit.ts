import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { timeId } from '@frontdesk/service-kit/time-id'
import { UUID } from '../registration/client-rules.js'
import { REQUEST_EVENTS, type AuditRow } from '../stores/operation/audit.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { unknown } from './refusal.js'
import { unknownUser } from './unknown.js'

/** Events of actions. */
const ADMIN_EVENTS = [
  'client add', 'client update', 'client disable', 'client enable', 'client implicit', 'client revoke', 'client adopt', 'client remove',
  'client secret add', 'client secret remove', 'registration token', 'registration remove',
  'user add', 'user invite', 'user update', 'user rename', 'user passwd', 'user reset-link', 'user sign-out', 'user revoke',
  'user disable', 'user enable', 'user remove', 'role add', 'role change', 'role remove', 'keys rotate', 'keys retire', 'apply'
] as const

/** What {@link recorded} needs. */
export type Recording = Pick<Stores, 'recorded' | 'clock'>

/** Name of an action's event. */
type AdminEvent = typeof ADMIN_EVENTS[number]

/** What an action concerns. */
export type About = Partial<Pick<AuditRow, 'clientId' | 'userId' | 'details'>>

/**
 * The stores for an action whose audit row is added in the transaction of its change.
 * @param about read after the change, or a function of its result
 */
export function recorded (
  { recorded, clock }: Recording, event: AdminEvent, about: About | ((done: unknown) => About), by: Actor
): ReturnType<Stores['recorded']> {
  // A shell can always make another administrator.
  return recorded(done => [eventOf(clock, event, typeof about === 'function' ? about(done) : about, by)], by.kind !== 'shell')
}

/** Records a completed action that is not a single change; for others, see {@link recorded}. */
export async function record (
  { audit, clock }: Pick<Stores, 'audit' | 'clock'>, event: AdminEvent, about: About, by: Actor
): Promise<void> {
  await audit.add([eventOf(clock, event, about, by)])
}

/** The audit row of a completed action. */
export function eventOf (
  clock: Pick<Stores['clock'], 'now'>, event: AdminEvent, { clientId = null, userId = null, details = {} }: About, by: Actor
): AuditRow {
  const at = clock.now()
  const source = by.kind === 'shell' ? 'cli' : by.source
  const name = by.kind === 'shell' ? by.name : by.kind === 'user' ? by.userId : by.clientId
  return { id: timeId(at), at, event, outcome: 'done', userId, clientId, source, requestId: null, details: { ...details, by: name } }
}

/** Which events to list, newest first. */
interface AuditQuery {
  /** The oldest time. @param now the database's time */
  readonly since?: ((now: Date) => Date) | undefined
  /** A user name or id. */
  readonly user?: string | undefined
  readonly client?: string | undefined
  readonly event?: string | undefined
  readonly reference?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** Lists events, with the names of their users. @throws Refusal if there is no such user, or no such event */
export async function listEvents (
  stores: Pick<Stores, 'audit' | 'users' | 'clock'>,
  { since, user, client: clientId, event, reference: requestId, before, limit }: AuditQuery
): Promise<{ rows: AuditRow[], names: ReadonlyMap<string, string> }> {
  const userId = user === undefined ? undefined : await userIdOf(stores, user)
  const rows = await stores.audit.list({ since: since?.(stores.clock.now()), userId, clientId, event, requestId, before }, limit)
  if (rows.length === 0 && event !== undefined) assertEvent(event)
  return { rows, names: await stores.users.names(rows.flatMap(({ userId }) => userId ?? [])) }
}

/** The id of a user. Does not check an id: the user may have been removed. @throws Refusal */
async function userIdOf (stores: Pick<Stores, 'users'>, user: string): Promise<string> {
  const found = await stores.users.find(user)
  if (found === null && !UUID.test(user)) throw await unknownUser(stores, user)
  return found?.id ?? user
}

/** @throws Refusal if no request and no action records such events */
function assertEvent (event: string): void {
  const known: readonly string[] = [...REQUEST_EVENTS, ...ADMIN_EVENTS]
  if (known.includes(event)) return
  const events = `Events are ${REQUEST_EVENTS.join(', ')} and commands such as "client add".`
  throw unknown('event', `There is no event ${quote(event)}.${didYouMean(event, known)} ${events}`)
}
