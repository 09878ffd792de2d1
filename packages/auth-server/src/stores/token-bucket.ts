/** Capacity of the bucket: rows that can be written in a burst. */
const BURST = 100
/** Refill rate, in rows per second. */
const RATE = 1

/** A token bucket for rows about unauthenticated requests: these must not fill the disk. */
export class TokenBucket {
  #left = BURST
  #at = 0
  #suppressed = 0

  /** Takes a token. Returns whether a row may be written. @param hasRoom whether the buffer has room for it */
  admit (now: Date, hasRoom = true): boolean {
    const seconds = Math.max(0, now.getTime() - this.#at) / 1_000
    this.#left = Math.min(BURST, this.#left + seconds * RATE)
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
