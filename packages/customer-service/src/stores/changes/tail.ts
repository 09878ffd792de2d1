import { isUnavailable } from '@frontdesk/database/unavailable'
import { Slots, type Caller } from '../../input/slots.js'
import { streamsCounted } from '../../telemetry/events.js'
import type { Feed, FeedChange, FeedPage } from './feed.js'
import { formatCursor, type FeedCursor } from './feed-cursor.js'

/** How often changes of other processes are looked for, in milliseconds. */
const POLL_MS = 1_000

/** Changes of this process within this time are read together, in milliseconds. */
const WAKE_DELAY_MS = 20

/** Changes that are read at once, at most. */
const MAX_CHANGES_READ = 100

/** Readers of one process, at most, and those of one caller. */
const READERS = { total: 1_000, share: 100 }

/** Follows the change feed for many readers; those at the same cursor share a query. Without readers, nothing runs. */
export class Tail {
  readonly #feed: Pick<Feed, 'read'>
  readonly #readers: Slots
  #turn = newTurn()
  #poll: NodeJS.Timeout | undefined
  #delay: NodeJS.Timeout | undefined

  constructor (feed: Pick<Feed, 'read'>, readers = READERS) {
    this.#feed = feed
    this.#readers = new Slots(readers)
  }

  /** Adds a reader of a caller. @returns a function that removes it; `null` if there are too many */
  open (caller: Caller): (() => void) | null {
    const leave = this.#readers.acquire(caller)
    if (leave === null) return null
    this.#poll ??= setInterval(() => this.wake(0), POLL_MS).unref()
    this.#publish()
    return () => {
      leave()
      this.#publish()
      if (this.#readers.open === 0) {
        clearInterval(this.#poll)
        this.#poll = undefined
      }
      // Those that have ended find out.
      this.wake(0)
    }
  }

  /** There may be changes: the readers look. */
  wake (delay = WAKE_DELAY_MS): void {
    if (this.#readers.open === 0 && delay > 0) return
    this.#delay ??= setTimeout(() => {
      this.#delay = undefined
      const { end } = this.#turn
      this.#turn = newTurn()
      end()
    }, delay)
  }

  /**
   * Changes after a cursor, as they come; also an empty page about once a second. While the database is unavailable, pages
   * are empty. Returns if the reader may have missed changes.
   */
  async * follow (cursor: FeedCursor): AsyncGenerator<FeedChange[], void, undefined> {
    for (;;) {
      // Before the read: a change that it does not see ends this turn.
      const turn = this.#turn
      const page = await this.#read(turn, cursor).catch(error => {
        if (!isUnavailable(error)) throw error
        return { changes: [], next: cursor }
      })
      if ('gap' in page) return
      cursor = page.next
      yield page.changes
      if (page.changes.length < MAX_CHANGES_READ) await turn.ended
    }
  }

  /** Single-flight within a turn. */
  #read ({ reads }: Turn, cursor: FeedCursor): Promise<FeedPage> {
    const key = formatCursor(cursor)
    const known = reads.get(key)
    if (known !== undefined) return known
    const page = this.#feed.read(cursor, MAX_CHANGES_READ).finally(() => reads.delete(key))
    reads.set(key, page)
    return page
  }

  #publish () {
    streamsCounted.publish({ open: this.#readers.open })
  }
}

/** The time between two looks at the database. */
interface Turn {
  readonly ended: Promise<void>
  readonly end: () => void
  /** Those under way, by cursor. */
  readonly reads: Map<string, Promise<FeedPage>>
}

function newTurn (): Turn {
  let end = () => {}
  const ended = new Promise<void>(resolve => { end = resolve })
  return { ended, end, reads: new Map() }
}
