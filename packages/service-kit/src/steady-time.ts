/** How long a clock must have gone without a jump before it is trusted, in milliseconds. */
export const PROBATION_MS = 30 * 60_000

/**
 * Watches a clock that may jump. Call {@link look} every few seconds: each jump against the monotonic clock restarts the
 * probation. A clock that is wrong for a while therefore never expires anything for good.
 */
export class SteadyTime {
  readonly #time: () => number
  readonly #monotonic: () => number
  readonly #tolerance: number
  #since: number
  #offset: number

  /**
   * @param time the clock, in milliseconds since 1970
   * @param monotonic milliseconds without jumps
   * @param tolerance how far the two may drift apart between two looks, in milliseconds
   */
  constructor (time: () => number, monotonic: () => number, tolerance = 1_000) {
    this.#time = time
    this.#monotonic = monotonic
    this.#tolerance = tolerance
    this.#since = monotonic()
    this.#offset = time() - this.#since
  }

  /** Compares the two clocks. @returns how far the clock has jumped since the last look, in milliseconds; 0 for no jump */
  look (): number {
    const monotonic = this.#monotonic()
    const offset = this.#time() - monotonic
    const jump = offset - this.#offset
    this.#offset = offset
    if (Math.abs(jump) <= this.#tolerance) return 0
    this.#since = monotonic
    return jump
  }

  /** When the probation began, in milliseconds since 1970: whatever had expired by then has expired. `null` during the probation. */
  settled (): number | null {
    this.look()
    return this.#monotonic() - this.#since < PROBATION_MS ? null : this.#time() - PROBATION_MS
  }
}
