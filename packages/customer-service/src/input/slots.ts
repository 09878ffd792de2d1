/** Keys for limits: a user of a client, and the user with all clients, who can register any number of them. */
export interface Caller {
  readonly client: string
  readonly user: string
}

/** How many times the share of one client a user has with all clients. */
export const SHARES_OF_USER = 2

/** Slots of a process for long requests: a user has a share with each client, and {@link SHARES_OF_USER} shares in all. */
export class Slots {
  readonly #total: number
  readonly #share: number
  readonly #taken = new Map<string, number>()
  #open = 0

  constructor ({ total, share }: { readonly total: number, readonly share: number }) {
    this.#total = total
    this.#share = share
  }

  /** Number of acquired slots. */
  get open (): number {
    return this.#open
  }

  /** Acquires a slot. @returns a function that releases it, to call once; `null` if the process or the caller has no slot left */
  acquire ({ client, user }: Caller): (() => void) | null {
    const limits = [[`client ${client}`, this.#share], [`user ${user}`, SHARES_OF_USER * this.#share]] as const
    if (this.#open === this.#total || limits.some(([key, limit]) => this.#of(key) === limit)) return null
    this.#open++
    for (const [key] of limits) this.#taken.set(key, this.#of(key) + 1)
    return () => {
      this.#open--
      for (const [key] of limits) {
        const left = this.#of(key) - 1
        if (left === 0) this.#taken.delete(key)
        else this.#taken.set(key, left)
      }
    }
  }

  #of (key: string): number {
    return this.#taken.get(key) ?? 0
  }
}
