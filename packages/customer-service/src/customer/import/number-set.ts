import { randomInt } from 'node:crypto'

/** Marks an empty slot; a flag shows whether the set has the number 0. */
const EMPTY = 0

/** A set of signed 32-bit integers: a hash table of 8 to 16 bytes a number, half of what `Set` needs. */
export class NumberSet {
  readonly #max: number
  // Random, so that nobody can choose numbers that collide.
  readonly #factor = randomInt(2 ** 31) * 2 + 1
  #slots = new Int32Array(1_024)
  #size = 0
  #hasZero = false

  /** @param max maximum size */
  constructor (max: number) {
    this.#max = max
  }

  /** Adds a number unless the set is full. @returns whether the set already had it */
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

  /** Finds the slot of a number, or the empty one for it. */
  #find (number: number): number {
    const { length } = this.#slots
    // The upper bits of the product depend on all bits of the number.
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
