import type { AccessToken } from '@frontdesk/schemas/access-token'
import { hash } from 'node:crypto'

/** About 10 MB. */
const CAPACITY = 10_000

/** Remembers verified tokens by their SHA-256, so that a signature is checked once per token. */
export class TokenMemory {
  readonly #claims = new Map<string, AccessToken>()
  readonly #capacity: number

  constructor (capacity = CAPACITY) {
    this.#capacity = capacity
  }

  recall (token: string): AccessToken | undefined {
    return this.#claims.get(digest(token))
  }

  /** Keeps the claims of a token; the one kept longest gives way when there are too many. */
  keep (token: string, claims: AccessToken): void {
    const [oldest] = this.#claims.keys()
    if (this.#claims.size >= this.#capacity && oldest !== undefined) this.#claims.delete(oldest)
    this.#claims.set(digest(token), claims)
  }

  forget (token: string): void {
    this.#claims.delete(digest(token))
  }
}

function digest (token: string) {
  return hash('sha256', token, 'base64')
}
