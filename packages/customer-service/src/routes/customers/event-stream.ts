import type { CustomerEvent } from '@frontdesk/schemas/customer-event'
import { formatCursor, type FeedCursor } from '../../stores/changes/feed-cursor.js'
import type { FeedChange } from '../../stores/changes/feed.js'
import { RECHECK_MS } from './recheck.js'

/** How long an idle stream is silent, in milliseconds: less than proxies and `connectionTimeout` wait. */
const HEARTBEAT_MS = 15_000

/** How long readers wait before they connect again, in milliseconds. */
const RETRY_MS = 2_000

/** What a stream needs. */
export interface EventStream {
  /** Where it begins. */
  cursor: FeedCursor
  /** What follows; an empty page from time to time. */
  pages: AsyncIterable<FeedChange[]>
  isOver: () => boolean
  isStillAuthorized: () => Promise<boolean>
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/** Writes events as `text/event-stream`: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export async function * writeStream (
  { cursor, pages, isOver, isStillAuthorized, now = () => performance.now() }: EventStream,
  represent: (change: FeedChange) => CustomerEvent
): AsyncGenerator<string, void, undefined> {
  let sent = now()
  let checked = sent
  // The cursor, for a reader that reconnects before the first event.
  yield `retry: ${RETRY_MS}\nid: ${formatCursor(cursor)}\n\n`
  for await (const changes of pages) {
    if (isOver()) return
    const time = now()
    if (time - checked >= RECHECK_MS) {
      if (!await isStillAuthorized()) return
      checked = time
    }
    if (changes.length === 0 && time - sent < HEARTBEAT_MS) continue
    yield changes.length === 0 ? ':\n\n' : changes.map(it => `id: ${formatCursor(it)}\ndata: ${JSON.stringify(represent(it))}\n\n`).join('')
    sent = time
  }
}
