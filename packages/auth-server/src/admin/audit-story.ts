import type { MessageKey } from '../languages/languages.js'
import type { Stores } from '../stores/stores.js'
import { withNames, type NamedEvent } from './audit.js'
import { unknown } from './refusal.js'
import { reason } from '../languages/reason.js'

/** Maximum events in a story: callers can send many requests with one reference. */
const MAX_EVENTS = 200

/** An event, and all events of its request. */
interface Story {
  readonly event: NamedEvent
  /** In order, at most the newest {@link MAX_EVENTS}. */
  readonly events: readonly NamedEvent[]
  /** Whether there are older events. */
  readonly hasMore: boolean
}

/** Why a request's reference can have no events. */
export const NOT_RECORDED = [
  'audit.not-recorded.nothing',
  'audit.not-recorded.removed',
  'audit.not-recorded.limited',
  'audit.not-recorded.recent',
  'audit.not-recorded.other'
] as const satisfies MessageKey[]

/** Reads an event with all events of its request. @throws Refusal if there is no such event */
export async function readStory (stores: Pick<Stores, 'audit' | 'users'>, id: string): Promise<Story> {
  const event = await stores.audit.find(id)
  if (event === null) throw unknown('id', reason('reason.gone-event'))
  const { rows, next } = event.requestId === null
    ? { rows: [event], next: null }
    : await stores.audit.page({ requestId: event.requestId }, MAX_EVENTS)
  const [named, ...events] = await withNames(stores, [event, ...rows.toReversed()])
  // as: the first one.
  return { event: named!, events, hasMore: next !== null }
}
