import type { AccessToken } from '@frontdesk/schemas/access-token'
import { hash } from 'node:crypto'

/** About 10 MB. */
const CAPACITY = 10_000

/** A token that was verified. */
export interface Remembered {
  readonly claims: AccessToken
  /** The groups that it can be revoked with. */
  readonly groups: readonly string[]
}

/** Remembers verified tokens by their SHA-256, so that a signature is checked once per token. */
export class TokenCache {
  readonly #tokens = new Map<string, Remembered>()
  readonly #capacity: number

  constructor (capacity = CAPACITY) {
    this.#capacity = capacity
  }

  recall (token: string): Remembered | undefined {
    return this.#tokens.get(digest(token))
  }

  /** Keeps a token; the one kept longest gives way when there are too many. */
  keep (token: string, remembered: Remembered): void {
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size >= this.#capacity && oldest !== undefined) this.#tokens.delete(oldest)
    this.#tokens.set(digest(token), remembered)
  }

  forget (token: string): void {
    this.#tokens.delete(digest(token))
  }
}

function digest (token: string) {
  return hash('sha256', token, 'base64')
}
