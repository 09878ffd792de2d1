/** Places for work that takes long: some in a process, and a share of them for each caller. */
export class Places {
  readonly #total: number
  readonly #share: number
  readonly #taken = new Map<string, number>()
  #open = 0

  constructor ({ total, share }: { readonly total: number, readonly share: number }) {
    this.#total = total
    this.#share = share
  }

  /** How many are taken. */
  get open (): number {
    return this.#open
  }

  /** Takes a place. @returns a function that frees it, to be called once; `null` if the process or the caller has none left */
  take (caller: string): (() => void) | null {
    const taken = this.#taken.get(caller) ?? 0
    if (this.#open === this.#total || taken === this.#share) return null
    this.#open++
    this.#taken.set(caller, taken + 1)
    return () => {
      this.#open--
      // !: it was set above.
      const left = this.#taken.get(caller)! - 1
      if (left === 0) this.#taken.delete(caller)
      else this.#taken.set(caller, left)
    }
  }
}
