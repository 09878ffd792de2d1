import type { Stores } from '../stores/stores.js'
import { withNames, type NamedEvent } from './audit.js'
import { unknown } from './refusal.js'

/** Maximum events of a story: callers can send many requests with one reference. */
const MAX_EVENTS = 200

/** An event, and all events of its request. */
interface Story {
  readonly event: NamedEvent
  /** In order, at most the newest {@link MAX_EVENTS}. */
  readonly events: readonly NamedEvent[]
  /** Whether there are older ones. */
  readonly hasMore: boolean
}

/** Why an event can be missing for the reference of a request. */
export const NOT_RECORDED = [
  'The request had no event: the trail has sign-ins, grants, refusals, sign-outs and changes.',
  'Its events were removed: they are kept for AUDIT_RETENTION days, or less if there are more than AUDIT_MAX_ROWS.',
  'There were too many like it: beyond one a second, the trail only counts events of unauthenticated callers, in an event with the outcome suppressed.',
  'It is less than a second old: events are written shortly after the response.',
  'It belongs to another service, such as customer-service, whose log has it.'
] as const

/** Reads an event with all events of its request. @throws Refusal if there is no such event */
export async function readStory (stores: Pick<Stores, 'audit' | 'users'>, id: string): Promise<Story> {
  const event = await stores.audit.find(id)
  if (event === null) throw unknown('id', 'There is no such event, or it was removed.')
  const { rows, next } = event.requestId === null
    ? { rows: [event], next: null }
    : await stores.audit.page({ requestId: event.requestId }, MAX_EVENTS)
  const [named, ...events] = await withNames(stores, [event, ...rows.toReversed()])
  // as: the first one.
  return { event: named!, events, hasMore: next !== null }
}
