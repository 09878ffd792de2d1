import type { Audit, AuditRow } from './audit.js'
import { TokenBucket } from './token-bucket.js'
import { timeId } from '@frontdesk/service-kit/time-id'

/** How long rows are gathered, in milliseconds: what a crash can lose. */
const DELAY = 250
/** When the database is asked again after it was away, in milliseconds. */
const RETRY = 2_000
/** How often it is written how much was not, in milliseconds. */
const SUMMARY = 60_000
/** Rows that wait for the database, at most. */
const CAPACITY = 10_000
/** Rows that wait, at most, when one comes of which nobody has proved anything: the rest is for those who have. */
const UNPROVEN_CAPACITY = CAPACITY / 2

/** What is known of what happened. */
export type AuditEntry = Pick<AuditRow, 'event' | 'outcome'> & Partial<Omit<AuditRow, 'id' | 'at'>>

interface Options {
  /** Whether an error means that the database is away. */
  isUnavailable: (error: unknown) => boolean
  /** Is told of rows that could not be written. */
  onLoss: (error: unknown, rows: number) => void
  /** The time of a row; by the clock of this machine unless given. */
  now?: () => Date
}

/**
 * Writes the audit trail behind the answers: nobody waits for a row. Rows are gathered for a quarter of a second, wait
 * while the database is away, and are written before {@link AuditTrail.close} is done.
 */
export class AuditTrail {
  readonly #audit: Audit
  readonly #options: Required<Options>
  readonly #bounds = new Map<string, TokenBucket>()
  #waiting: AuditRow[] = []
  #writing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #summary: NodeJS.Timeout | undefined

  constructor (audit: Audit, { now = () => new Date(), ...options }: Options) {
    this.#audit = audit
    this.#options = { ...options, now }
  }

  /** Records what somebody did who has proved who they are. */
  record ({ event, outcome, userId = null, clientId = null, source = null, requestId = null, details = {} }: AuditEntry, at = this.#options.now()): void {
    if (this.#waiting.length >= CAPACITY) return this.#options.onLoss(new Error('too many rows wait'), 1)
    this.#waiting.push({ id: timeId(at), at, event, outcome, userId, clientId, source, requestId, details })
    this.#flushIn(DELAY)
  }

  /** Records what anybody can do: 100 rows of an event at once and one a second after, then only how many more there were. */
  recordUnproven (entry: AuditEntry, at = this.#options.now()): void {
    const bound = this.#bounds.get(entry.event) ?? new TokenBucket()
    this.#bounds.set(entry.event, bound)
    if (bound.admit(at, this.#waiting.length < UNPROVEN_CAPACITY)) this.record(entry, at)
    else this.#summary ??= setTimeout(() => this.#summarise(), SUMMARY).unref()
  }

  /** Writes what waits, after what is being written. */
  async flush (): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write(this.#waiting.splice(0)))
    await this.#writing
  }

  async #write (rows: readonly AuditRow[]): Promise<void> {
    try {
      await this.#audit.add(rows)
    } catch (error) {
      if (this.#options.isUnavailable(error)) {
        this.#waiting.unshift(...rows)
        this.#flushIn(RETRY)
      } else if (rows.length === 1) this.#options.onLoss(error, 1)
      // One row failed the others.
      else for (const row of rows) await this.#write([row])
    }
  }

  /** Writes everything. */
  async close (): Promise<void> {
    this.#summarise()
    await this.flush()
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) this.#options.onLoss(new Error('the database is away'), this.#waiting.length)
  }

  #flushIn (delay: number): void {
    this.#timer ??= setTimeout(() => this.flush(), delay).unref()
  }

  #summarise (): void {
    clearTimeout(this.#summary)
    this.#summary = undefined
    for (const [event, bound] of this.#bounds) {
      const count = bound.takeSuppressed()
      if (count > 0) this.record({ event, outcome: 'suppressed', details: { count } })
    }
  }
}
