import { isUnavailable } from '@frontdesk/database/unavailable'
import { Slots, type Caller } from '../../input/slots.js'
import { streamsCounted } from '../../telemetry/events.js'
import type { Feed, FeedChange, FeedPage } from './feed.js'
import { formatCursor, type FeedCursor } from './feed-cursor.js'

/** How often to look for changes of other processes. */
const POLL_MS = 1_000

/** Debounce of changes of this process. */
const WAKE_DELAY_MS = 20

/** Maximum changes to read at once. */
const MAX_CHANGES_READ = 100

/** Maximum readers of a process, and of one caller. */
const READERS = { total: 1_000, share: 100 }

/** Follows the change feed for many readers. Those at the same cursor share a query. Idle without readers. */
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

  /** Adds a reader. @returns a function that removes it; `null` if there are too many */
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
      // So that the reader's loop ends.
      this.wake(0)
    }
  }

  /** Makes the readers look for changes. */
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
   * Yields the changes after a cursor as they come, and an empty page about once a second, even while the database is
   * unavailable. Returns if the reader may have missed changes.
   */
  async * follow (cursor: FeedCursor): AsyncGenerator<FeedChange[], void, undefined> {
    for (;;) {
      // Before the read, so that a change which it does not see ends this turn.
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

/** The time between two reads of the database. */
interface Turn {
  readonly ended: Promise<void>
  readonly end: () => void
  /** Reads in progress, by cursor. */
  readonly reads: Map<string, Promise<FeedPage>>
}

function newTurn (): Turn {
  let end = () => {}
  const ended = new Promise<void>(resolve => { end = resolve })
  return { ended, end, reads: new Map() }
}
