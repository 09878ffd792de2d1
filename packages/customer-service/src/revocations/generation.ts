/** Slots of the first table; each further one has twice as many. */
const FIRST_SLOTS = 1_024
/** Value of `before` for all tokens: the largest 32-bit number, as a time in the year 2106. */
export const ALL = 2 ** 32 - 1
/** Numbers of a slot: two halves of the fingerprint, `ends` and `before`. */
const WIDTH = 4

/** Entries of the revocation feed that were added at about the same time: a hash table with open addressing, 16 bytes a slot. */
export class Generation {
  #table = new Uint32Array(FIRST_SLOTS * WIDTH)
  #mask = FIRST_SLOTS - 1
  #size = 0
  /** The entries revoke only tokens issued before this time, in seconds since 1970. */
  newest = 0
  /** Entries that ended by this time were removed. */
  forgotten = -Infinity

  get size (): number {
    return this.#size
  }

  /** Adds an entry, or merges it with one of the same fingerprint. Times are 32-bit numbers. @param before revokes tokens issued earlier */
  add (high: number, low: number, ends: number, before: number): void {
    if (this.#size >= (this.#mask + 1) * 3 / 4) this.#grow()
    const [table, at] = [this.#table, this.#find(high, low)]
    if (!isTaken(table, at)) this.#size++
    table[at] = high
    table[at + 1] = low
    table[at + 2] = Math.max(numberAt(table, at + 2), ends)
    table[at + 3] = Math.max(numberAt(table, at + 3), before)
  }

  /** Whether an entry revokes a token that was issued at `iat`. */
  has (high: number, low: number, iat: number): boolean {
    const at = this.#find(high, low)
    const before = numberAt(this.#table, at + 3)
    return isTaken(this.#table, at) && (iat < before || before === ALL)
  }

  /** Whether an entry revokes at least the same tokens, for at least as long. */
  covers (high: number, low: number, ends: number, before: number): boolean {
    const at = this.#find(high, low)
    return isTaken(this.#table, at) && numberAt(this.#table, at + 2) >= ends && numberAt(this.#table, at + 3) >= before
  }

  /** Counts the entries that end after a time. */
  countAfter (time: number): number {
    let count = 0
    for (let at = 0; at < this.#table.length; at += WIDTH) if (isTaken(this.#table, at) && numberAt(this.#table, at + 2) > time) count++
    return count
  }

  /** Copies the entries that end after a time to another generation. */
  copyAfter (time: number, target: Generation): void {
    const table = this.#table
    for (let at = 0; at < table.length; at += WIDTH) {
      const ends = numberAt(table, at + 2)
      if (isTaken(table, at) && ends > time) target.add(numberAt(table, at), numberAt(table, at + 1), ends, numberAt(table, at + 3))
    }
    target.newest = Math.max(target.newest, this.newest)
  }

  #grow () {
    const old = this.#table
    this.#table = new Uint32Array(old.length * 2)
    this.#mask = this.#mask * 2 + 1
    for (let at = 0; at < old.length; at += WIDTH) {
      if (isTaken(old, at)) this.#table.set(old.subarray(at, at + WIDTH), this.#find(numberAt(old, at), numberAt(old, at + 1)))
    }
  }

  /** Offset of a fingerprint, or of the empty slot for it. A fingerprint is random, so it is its own hash. */
  #find (high: number, low: number): number {
    const [table, mask] = [this.#table, this.#mask]
    let slot = low & mask
    while (isTaken(table, slot * WIDTH) && !(table[slot * WIDTH] === high && table[slot * WIDTH + 1] === low)) slot = (slot + 1) & mask
    return slot * WIDTH
  }
}

/** Whether a slot has an entry: no fingerprint is 0. */
function isTaken (table: Uint32Array, at: number): boolean {
  return table[at] !== 0 || table[at + 1] !== 0
}

function numberAt (table: Uint32Array, at: number): number {
  return table[at] as number // as: within the table.
}
