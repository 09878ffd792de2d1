import { LRUCache } from 'lru-cache'
import { hash } from 'node:crypto'

/** About 10 MB. */
const MAX_TOKENS = 10_000

/** An LRU cache of verified tokens, by SHA-256: each signature is verified once. */
export class TokenCache<Verified extends object> {
  readonly #tokens: LRUCache<string, Verified>

  constructor (max = MAX_TOKENS) {
    this.#tokens = new LRUCache({ max })
  }

  get (token: string): Verified | undefined {
    return this.#tokens.get(digest(token))
  }

  /** Adds a token; evicts the least recently used one if the cache is full. */
  set (token: string, verified: Verified): void {
    this.#tokens.set(digest(token), verified)
  }

  delete (token: string): void {
    this.#tokens.delete(digest(token))
  }
}

function digest (token: string) {
  return hash('sha256', token, 'base64')
}
