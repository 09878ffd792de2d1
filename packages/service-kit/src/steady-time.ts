/** How long a clock must have gone without a jump before what ended by it is over for good, in milliseconds. */
export const PROBATION = 30 * 60_000

/**
 * Watches a clock that may jump. Looks every few seconds; a look that disagrees with the monotonic clock starts the
 * probation again. So a clock that is wrong for a while never decides that something is over.
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

  /** Compares the two clocks. @returns milliseconds that the clock has jumped since the last look; 0 if it has not */
  look (): number {
    const monotonic = this.#monotonic()
    const offset = this.#time() - monotonic
    const jump = offset - this.#offset
    this.#offset = offset
    if (Math.abs(jump) <= this.#tolerance) return 0
    this.#since = monotonic
    return jump
  }

  /** The time at which the probation began, if it is over: what had ended then has ended. Milliseconds since 1970; `null` if it is not over. */
  settled (): number | null {
    this.look()
    return this.#monotonic() - this.#since < PROBATION ? null : this.#time() - PROBATION
  }
}
