import type { RevocationEntry } from '@frontdesk/schemas/revocations'
import { AskError } from '@frontdesk/service-kit/doctor/failure'

/** Entries, at most: some 40 MB. */
const CAPACITY = 250_000

/** What is revoked, by the id of an entry. */
export class Revoked {
  readonly #entries = new Map<string, { ends: number, before: number }>()
  readonly #capacity: number

  constructor (capacity = CAPACITY) {
    this.#capacity = capacity
  }

  /** Adds an entry; merges it with one of the same id. @throws AskError if there are too many */
  add ({ id, ends, before = Infinity }: RevocationEntry): void {
    const known = this.#entries.get(id)
    if (known === undefined && this.#entries.size >= this.#capacity) {
      throw new AskError('too large', `more than ${this.#capacity} revocations are listed`)
    }
    this.#entries.set(
      id,
      known === undefined ? { ends, before } : { ends: Math.max(ends, known.ends), before: Math.max(before, known.before) }
    )
  }

  /** Whether an entry revokes a token. @param iat when the token was issued, in seconds since 1970 */
  has (id: string, iat: number): boolean {
    const entry = this.#entries.get(id)
    return entry !== undefined && iat < entry.before
  }

  /** Removes the entries whose last token expired by then. @param time in seconds since 1970 */
  forget (time: number): void {
    for (const [id, { ends }] of this.#entries) if (ends <= time) this.#entries.delete(id)
  }
}
