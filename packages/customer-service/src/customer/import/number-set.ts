import { randomInt } from 'node:crypto'

/** Empty slots. Whether 0 itself is in the set is kept apart. */
const EMPTY = 0

/** A set of signed 32-bit integers, in a hash table of 8 to 16 bytes for each, half of what `Set` needs. */
export class NumberSet {
  readonly #max: number
  // Random: numbers that were chosen to collide would make each search long.
  readonly #factor = randomInt(2 ** 31) * 2 + 1
  #slots = new Int32Array(1_024)
  #size = 0
  #hasZero = false

  /** @param max numbers that are kept, at most */
  constructor (max: number) {
    this.#max = max
  }

  /** Adds a number, unless there are too many. @returns whether it was there */
  addOrFind (number: number): boolean {
    if (number === 0) {
      const wasThere = this.#hasZero
      this.#hasZero = true
      return wasThere
    }
    const slot = this.#find(number)
    if (this.#slots[slot] === number) return true
    if (this.#size === this.#max) return false
    this.#slots[slot] = number
    this.#size++
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return false
  }

  /** The slot that has the number, or the empty one where it belongs. */
  #find (number: number): number {
    const { length } = this.#slots
    // The upper bits of the product: they depend on all bits of the number.
    let slot = Math.imul(number, this.#factor) >>> (Math.clz32(length) + 1)
    while (this.#slots[slot] !== EMPTY && this.#slots[slot] !== number) slot = (slot + 1) % length
    return slot
  }

  #grow () {
    const before = this.#slots
    this.#slots = new Int32Array(before.length * 2)
    for (const number of before) if (number !== EMPTY) this.#slots[this.#find(number)] = number
  }
}
