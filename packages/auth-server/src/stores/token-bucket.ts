/** Rows that strangers can have written at once. */
const BURST = 100
/** Rows a second that they can have written after that. */
const RATE = 1

/** Bounds what people who have not proved who they are can have written: nobody may fill the disk. */
export class TokenBucket {
  #left = BURST
  #at = 0
  #suppressed = 0

  /** Whether one more may be written. @param hasRoom whether one more can be kept until then */
  admit (now: Date, hasRoom = true): boolean {
    const seconds = Math.max(0, now.getTime() - this.#at) / 1_000
    this.#left = Math.min(BURST, this.#left + seconds * RATE)
    this.#at = now.getTime()
    const admitted = hasRoom && this.#left >= 1
    if (admitted) this.#left--
    else this.#suppressed++
    return admitted
  }

  /** How many were not since the last time. */
  takeSuppressed (): number {
    const count = this.#suppressed
    this.#suppressed = 0
    return count
  }
}
