import { quote } from '@frontdesk/service-kit/showable'
import { timeId } from '@frontdesk/service-kit/time-id'
import { isUserId } from '../registration/client-rules.js'
import { REQUEST_EVENTS } from '../stores/operation/audit.js'
import type { AuditRow, NewAuditRow } from '../stores/operation/audit-row.js'
import type { Stores } from '../stores/stores.js'
import { nameOf, type Actor } from './actor.js'
import { unknown } from './refusal.js'
import { unknownUser } from './unknown.js'
import { reason } from '../languages/reason.js'
import { suggested } from './suggested.js'

/** Events of actions. */
const ADMIN_EVENTS = [
  'client add', 'client update', 'client disable', 'client enable', 'client implicit', 'client revoke', 'client adopt', 'client remove',
  'client secret add', 'client secret remove', 'registration token', 'registration remove', 'sign-up code add', 'sign-up code remove',
  'user add', 'user import', 'user invite', 'user update', 'user rename', 'user passwd', 'user reset-link', 'user sign-out',
  'user end-session', 'user unlock', 'user factor-link', 'user remove-factors', 'user disconnect', 'user revoke', 'user disable',
  'user enable', 'user remove', 'user export',
  'mail test', 'role add', 'role change', 'role remove', 'keys rotate', 'keys retire', 'apply'
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
  const actor = by.kind === 'shell' ? undefined : by
  return recorded(done => [eventOf(clock, event, typeof about === 'function' ? about(done) : about, by)], actor)
}

/**
 * Records a completed action that is not a single change, before its result is shown; for others, see {@link recorded}.
 * @throws RightLostError if the actor has lost the right to it meanwhile
 */
export async function record (stores: Recording, event: AdminEvent, about: About, by: Actor): Promise<void> {
  await recorded(stores, event, about, by).confirm()
}

/** The audit row of a completed action. */
export function eventOf (
  clock: Pick<Stores['clock'], 'now'>, event: AdminEvent, { clientId = null, userId = null, details = {} }: About, by: Actor
): NewAuditRow {
  const at = clock.now()
  const { source, requestId = null } = by.kind === 'shell' ? { source: 'cli' } : by
  const row = { id: timeId(at), at, event, outcome: 'done', userId, clientId, source, requestId, details: { ...details, by: nameOf(by) } }
  return { ...row, isOperators: true }
}

/** Which events to list, newest first. */
interface AuditQuery {
  /** The oldest time. @param now the database's time */
  readonly since?: ((now: Date) => Date) | undefined
  /** Only events before it. */
  readonly until?: Date | undefined
  /** A user name or id. */
  readonly user?: string | undefined
  readonly client?: string | undefined
  readonly event?: string | undefined
  readonly outcome?: string | undefined
  readonly source?: string | undefined
  readonly reference?: string | undefined
  readonly before?: string | null | undefined
  readonly limit: number
}

/** An event with the names of its user and of the user who caused it; `null` without such a user, or after removal. */
export type NamedEvent = AuditRow & { readonly username: string | null, readonly byUsername: string | null }

/** Maximum events of an export. */
export const MAX_EXPORTED = 100_000

/** How many events an export reads at once. */
const EXPORT_PAGE = 1_000

type AuditStores = Pick<Stores, 'audit' | 'users' | 'clock'>

/** Lists events, with the names of their users. @throws Refusal if there is no such user, or no such event */
export async function listEvents (
  stores: AuditStores, { limit, ...query }: AuditQuery
): Promise<{ rows: readonly AuditRow[], names: ReadonlyMap<string, string> }> {
  const rows = await stores.audit.list(await filterOf(stores, query), limit)
  if (rows.length === 0) assertEvent(query.event)
  return { rows, names: await namesOf(stores, rows) }
}

/**
 * Reads a page of events in bounded time: it can have fewer than `limit`, or none, although there is a next one.
 * @returns the events with the names of their users and of the users who caused them, and `before` of the next page
 * @throws Refusal as {@link listEvents}
 */
export async function readEvents (
  stores: AuditStores, { limit, ...query }: AuditQuery
): Promise<{ readonly items: readonly NamedEvent[], readonly next: string | null }> {
  const { rows, next } = await stores.audit.page(await filterOf(stores, query), limit)
  if (rows.length === 0) assertEvent(query.event)
  return { items: await withNames(stores, rows), next }
}

/**
 * Reads events page by page, with names: at most {@link MAX_EXPORTED}.
 * @throws Refusal as {@link listEvents}, before the first event
 */
export async function exportEvents (stores: AuditStores, query: Omit<AuditQuery, 'limit'>): Promise<AsyncIterable<NamedEvent>> {
  const first = await readEvents(stores, { ...query, limit: EXPORT_PAGE })
  return (async function * () {
    let left = MAX_EXPORTED
    for (let page = first; ; page = await readEvents(stores, { ...query, before: page.next, limit: Math.min(left, EXPORT_PAGE) })) {
      yield * page.items
      left -= page.items.length
      if (page.next === null || left <= 0) return
    }
  })()
}

/** @throws Refusal if there is no such user */
async function filterOf (stores: AuditStores, query: Omit<AuditQuery, 'limit'>) {
  const { since, user, client: clientId, reference: requestId, before, ...filter } = query
  const userId = user === undefined ? undefined : await userIdOf(stores, user)
  return { ...filter, before: before ?? undefined, since: since?.(stores.clock.now()), userId, clientId, requestId }
}

/** Adds the names of users. */
export async function withNames (stores: Pick<Stores, 'users'>, rows: readonly AuditRow[]): Promise<NamedEvent[]> {
  const names = await namesOf(stores, rows)
  const usernameOf = (id: unknown) => names.get(String(id)) ?? null
  return rows.map(row => ({ ...row, username: usernameOf(row.userId), byUsername: usernameOf(row.details.by) }))
}

async function namesOf ({ users }: Pick<Stores, 'users'>, rows: readonly AuditRow[]): Promise<ReadonlyMap<string, string>> {
  return await users.names(rows.flatMap(({ userId, details: { by } }) => [userId, by].filter(id => typeof id === 'string')))
}

/** The id of a user. Does not check an id: the user may have been removed. @throws Refusal */
async function userIdOf (stores: Pick<Stores, 'users'>, user: string): Promise<string> {
  const found = await stores.users.find(user)
  if (found === null && !isUserId(user)) throw await unknownUser(stores, user)
  return found?.id ?? user
}

/** @throws Refusal if no request and no action records such events */
function assertEvent (event: string | undefined): void {
  const known: readonly string[] = [...REQUEST_EVENTS, ...ADMIN_EVENTS]
  if (event === undefined || known.includes(event)) return
  const why = suggested(reason('reason.unknown-event', { event: quote(event) }), event, known)
  throw unknown('event', reason('reason.with-remedy', { why, remedy: reason('reason.events', { events: REQUEST_EVENTS.join(', ') }) }))
}
