/** Who acquires a slot: a user with an app, and the user, since apps are free. */
export interface Caller {
  readonly app: string
  readonly person: string
}

/** How many times more slots a user can have with all apps than with one. */
export const APPS_OF_PERSON = 2

/** Slots for long work: some in a process, a share of them for each user with an app, and twice that for each user. */
export class Slots {
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

  /** Acquires a slot. @returns a function that releases it, to be called once; `null` if the process or the caller has none left */
  acquire ({ app, person }: Caller): (() => void) | null {
    const limits = [[`app ${app}`, this.#share], [`person ${person}`, APPS_OF_PERSON * this.#share]] as const
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
