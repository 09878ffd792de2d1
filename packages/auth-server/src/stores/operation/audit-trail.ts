import { isUnavailable } from '@frontdesk/database/unavailable'
import { timeId } from '@frontdesk/service-kit/time-id'
import type { Audit, Trimming } from './audit.js'
import type { NewAuditRow } from './audit-row.js'

/** How long rows are buffered before they are written, in milliseconds. A crash loses at most this much. */
const WRITE_DELAY_MS = 250
/** How long to wait before a retry when the database does not respond, in milliseconds. */
const RETRY_DELAY_MS = 2_000
/** How often a summary of suppressed rows is written, in milliseconds. */
const SUMMARY_INTERVAL_MS = 60_000
const MAX_BUFFERED_ROWS = 10_000
/** Unauthenticated events are buffered only up to this many rows: the rest is reserved for authenticated ones. */
const MAX_BUFFERED_FOR_UNPROVEN = MAX_BUFFERED_ROWS / 2

/** An event to record. */
export type AuditEntry = Pick<NewAuditRow, 'event' | 'outcome'> & Partial<Omit<NewAuditRow, 'id' | 'at'>>

interface Options {
  /** Called when rows are lost. */
  onLoss: (error: unknown, rows: number) => void
  /** Limit of the trail. Default: none. */
  trimming?: Trimming | undefined
  /** Default: this machine's clock. */
  now?: () => Date
}

/**
 * Writes the audit trail asynchronously: responses do not wait for it. Buffers rows for a quarter of a second, and retries while
 * the database is unavailable. {@link AuditTrail.close} writes the rest.
 */
export class AuditTrail {
  readonly #audit: Audit
  readonly #options: Options & { now: () => Date }
  readonly #bounds = new Map<string, TokenBucket>()
  #waiting: NewAuditRow[] = []
  #writing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #summary: NodeJS.Timeout | undefined

  constructor (audit: Audit, { now = () => new Date(), ...options }: Options) {
    this.#audit = audit
    this.#options = { ...options, now }
  }

  /** Records an event of an authenticated user or client. */
  record (
    { event, outcome, userId = null, clientId = null, source = null, requestId = null, details = {}, isUnproven = false }: AuditEntry,
    at = this.#options.now()
  ): void {
    if (this.#waiting.length >= MAX_BUFFERED_ROWS) return this.#options.onLoss(new Error('too many rows wait'), 1)
    this.#waiting.push({ id: timeId(at), at, event, outcome, userId, clientId, source, requestId, details, isUnproven })
    this.#flushIn(WRITE_DELAY_MS)
  }

  /** Records an unauthenticated event, with a token bucket per event. A summary counts suppressed rows. */
  recordUnproven (entry: AuditEntry, at = this.#options.now()): void {
    const bound = this.#bounds.get(entry.event) ?? new TokenBucket()
    this.#bounds.set(entry.event, bound)
    if (bound.admit(at, this.#waiting.length < MAX_BUFFERED_FOR_UNPROVEN)) this.record({ ...entry, isUnproven: true }, at)
    else this.#summary ??= setTimeout(() => this.#summarise(), SUMMARY_INTERVAL_MS).unref()
  }

  /** Writes the buffer, after any write in progress. */
  async flush (): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write(this.#waiting.splice(0)))
    await this.#writing
  }

  async #write (rows: readonly NewAuditRow[]): Promise<void> {
    try {
      await this.#audit.add(rows, this.#options.trimming)
    } catch (error) {
      if (isUnavailable(error)) {
        this.#waiting.unshift(...rows)
        this.#flushIn(RETRY_DELAY_MS)
      } else if (rows.length === 1) this.#options.onLoss(error, 1)
      // One bad row failed the statement: write them one by one.
      else for (const row of rows) await this.#write([row])
    }
  }

  /** Writes the buffer and the summary. */
  async close (): Promise<void> {
    this.#summarise()
    await this.flush()
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) this.#options.onLoss(new Error('the database does not answer'), this.#waiting.length)
  }

  #flushIn (delay: number): void {
    this.#timer ??= setTimeout(() => this.flush(), delay).unref()
  }

  #summarise (): void {
    clearTimeout(this.#summary)
    this.#summary = undefined
    for (const [event, bound] of this.#bounds) {
      const count = bound.takeSuppressed()
      if (count > 0) this.record({ event, outcome: 'suppressed', details: { count }, isUnproven: true })
    }
  }
}

const BURST_ROWS = 100
const ROWS_PER_SECOND = 1

/** A token bucket: unauthenticated requests must not fill the disk. */
class TokenBucket {
  #left = BURST_ROWS
  #at = 0
  #suppressed = 0

  /** Takes a token. Returns whether to write a row. @param hasRoom whether the buffer has room for it */
  admit (now: Date, hasRoom: boolean): boolean {
    const seconds = Math.max(0, now.getTime() - this.#at) / 1_000
    this.#left = Math.min(BURST_ROWS, this.#left + seconds * ROWS_PER_SECOND)
    this.#at = now.getTime()
    const admitted = hasRoom && this.#left >= 1
    if (admitted) this.#left--
    else this.#suppressed++
    return admitted
  }

  /** Returns how many rows were suppressed since the last call. */
  takeSuppressed (): number {
    const count = this.#suppressed
    this.#suppressed = 0
    return count
  }
}
