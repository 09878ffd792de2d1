/** How long a clock must not have jumped to be trusted. */
export const PROBATION_MS = 30 * 60_000

/**
 * Watches a clock that can jump. Call {@link look} every few seconds: a jump against the monotonic clock restarts the probation,
 * so that a clock that is wrong for a while does not remove anything.
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
   * @param tolerance maximum drift between two looks, in milliseconds
   */
  constructor (time: () => number, monotonic: () => number, tolerance = 1_000) {
    this.#time = time
    this.#monotonic = monotonic
    this.#tolerance = tolerance
    this.#since = monotonic()
    this.#offset = time() - this.#since
  }

  /** Compares the clocks. @returns the jump since the last look, in milliseconds; 0 for none */
  look (): number {
    const monotonic = this.#monotonic()
    const offset = this.#time() - monotonic
    const jump = offset - this.#offset
    this.#offset = offset
    if (Math.abs(jump) <= this.#tolerance) return 0
    this.#since = monotonic
    return jump
  }

  /** A time that has certainly passed, in milliseconds since 1970; `null` during the probation. */
  settled (): number | null {
    this.look()
    return this.#monotonic() - this.#since < PROBATION_MS ? null : this.#time() - PROBATION_MS
  }
}
