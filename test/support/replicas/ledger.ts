/** What a customer is known to be: an address, `null` when removed. */
type Known = string | null

/** The acknowledged writes, to compare the register with afterwards. */
export class Ledger {
  readonly #known = new Map<number, Known>()
  /** Customers whose last write was not acknowledged: it may have been made or not. */
  readonly #unsure = new Set<number>()
  /** Writes that were acknowledged. */
  acknowledged = 0
  #next = 1

  /** An unused id. */
  newId (): number {
    return this.#next++
  }

  /** Notes a write by what it was answered with. */
  note (id: number, is: Known, acknowledged: boolean): void {
    if (!acknowledged) {
      this.#unsure.add(id)
      return
    }
    this.acknowledged++
    this.#known.set(id, is)
  }

  /** Every customer of whom all is known. */
  get certain (): Array<[id: number, is: Known]> {
    return [...this.#known].filter(([id]) => !this.#unsure.has(id))
  }
}
