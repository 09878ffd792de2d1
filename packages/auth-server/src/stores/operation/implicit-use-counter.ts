import type { ImplicitUse, ImplicitUses } from './implicit-uses.js'

/** How often counts are written, in milliseconds. A crash loses at most this much. */
const WRITE_DELAY_MS = 5_000

/** Counts uses of the implicit grant in memory, and writes them every few seconds: responses do not wait. */
export class ImplicitUseCounter {
  readonly #store: ImplicitUses
  readonly #onDelay: (error: unknown) => void
  #counted = new Map<string, ImplicitUse>()
  #writing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  /** @param onDelay called when counts could not be written; they are retried */
  constructor (store: ImplicitUses, onDelay: (error: unknown) => void) {
    this.#store = store
    this.#onDelay = onDelay
  }

  count (clientId: string, now: Date): void {
    this.#add({ clientId, week: isoWeek(now), uses: 1, firstAt: now, lastAt: now })
  }

  /** Writes the counts, after any write in progress. What fails is kept for the next write. */
  async flush (): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    await this.#writing
  }

  async #write (): Promise<void> {
    const counted = [...this.#counted.values()]
    this.#counted.clear()
    if (counted.length === 0) return
    try {
      await this.#store.add(counted)
    } catch (error) {
      this.#onDelay(error)
      for (const use of counted) this.#add(use)
    }
  }

  /** Writes the counts, for the last time. */
  async close (): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
  }

  #add (use: ImplicitUse): void {
    const key = `${use.clientId} ${use.week}`
    const before = this.#counted.get(key) ?? { ...use, uses: 0 }
    const [firstAt, lastAt] = [
      use.firstAt < before.firstAt ? use.firstAt : before.firstAt, use.lastAt > before.lastAt ? use.lastAt : before.lastAt
    ]
    this.#counted.set(key, { ...before, uses: before.uses + use.uses, firstAt, lastAt })
    this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS).unref()
  }
}

const DAY = 86_400_000

/** The week of a time, of ISO 8601 and in UTC: `2026-W47`. */
export function isoWeek (time: Date): string {
  // A week belongs to the year that its Thursday is in; 1 January 1970 was one.
  const thursday = Math.floor((time.getTime() / DAY + 3) / 7) * 7
  const year = new Date(thursday * DAY).getUTCFullYear()
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
