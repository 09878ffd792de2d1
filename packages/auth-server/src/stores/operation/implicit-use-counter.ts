import { DAY_MS } from '../../lifetimes.js'
import type { ImplicitUse, ImplicitUses } from './implicit-uses.js'

/** How often counts are written, in milliseconds. A crash loses at most this much. */
const WRITE_DELAY_MS = 5_000

/** Counts uses of the implicit grant in memory, and writes them every few seconds, so that responses do not wait. */
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

  /** Writes the counts, after any write in progress. If that fails, they stay for the next one. */
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

  async close (): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
  }

  #add (use: ImplicitUse): void {
    const key = `${use.clientId} ${use.week}`
    const { uses, firstAt, lastAt } = this.#counted.get(key) ?? { ...use, uses: 0 }
    this.#counted.set(key, {
      ...use,
      uses: uses + use.uses,
      firstAt: use.firstAt < firstAt ? use.firstAt : firstAt,
      lastAt: use.lastAt > lastAt ? use.lastAt : lastAt
    })
    this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS).unref()
  }
}

/** The ISO 8601 week of a time, in UTC: `2026-W47`. */
export function isoWeek (time: Date): string {
  // A week belongs to the year of its Thursday; 1 January 1970 was one.
  const thursday = Math.floor((time.getTime() / DAY_MS + 3) / 7) * 7
  const year = new Date(thursday * DAY_MS).getUTCFullYear()
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY_MS) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
