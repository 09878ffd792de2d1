import { createHash } from 'node:crypto'

/** Maximum names that are remembered, in 16 MiB. */
const MAX_NAMES = 1_000_000

/** The names in a file: a hash table of 16 to 32 bytes a name, where a `Set` of a million takes 100 MB. */
export class FileNames {
  #slots = new Float64Array(1_024)
  #size = 0

  /** Adds a name, unless there are {@link MAX_NAMES}. @returns whether the file already had it */
  addOrFind (name: string): boolean {
    const hash = hashOf(name)
    const slot = this.#find(hash)
    if (this.#slots[slot] === hash) return true
    if (this.#size === MAX_NAMES) return false
    this.#slots[slot] = hash
    this.#size++
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return false
  }

  /** Finds the slot of a hash, or the empty one for it. */
  #find (hash: number): number {
    const { length } = this.#slots
    let slot = hash % length
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = (slot + 1) % length
    return slot
  }

  #grow () {
    const before = this.#slots
    this.#slots = new Float64Array(before.length * 2)
    for (const hash of before) if (hash !== 0) this.#slots[this.#find(hash)] = hash
  }
}

/** 52 bits of a hash, which is never 0. Of ten thousand files with a million names, one has two names with the same hash. */
function hashOf (name: string): number {
  const bytes = createHash('sha256').update(name).digest()
  return bytes.readUInt32LE(0) * 2 ** 20 + (bytes.readUInt32LE(4) >>> 12) + 1
}
