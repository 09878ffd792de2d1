import type { Format } from './formats.js'

const [QUOTE, LF] = [0x22, 0x0a]

/** Lines without a customer: the column names, the brackets of the array. */
const OTHER_LINES = { csv: 1, ndjson: 0, json: 2 }

/** Counts the customers of an export while it streams. */
export class CustomerCount {
  readonly #format: Format
  #lines = 0
  #isQuoted = false

  constructor (format: Format) {
    this.#format = format
  }

  get customers (): number {
    return Math.max(0, this.#lines - OTHER_LINES[this.#format])
  }

  /** @returns the number of further customers */
  add (bytes: Buffer): number {
    const before = this.customers
    for (const byte of bytes) {
      // JSON escapes line breaks in strings.
      if (byte === QUOTE && this.#format === 'csv') this.#isQuoted = !this.#isQuoted
      else if (byte === LF && !this.#isQuoted) this.#lines++
    }
    return this.customers - before
  }
}
