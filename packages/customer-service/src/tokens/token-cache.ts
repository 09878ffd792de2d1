import type { AccessToken } from '@frontdesk/schemas/access-token'
import { LRUCache } from 'lru-cache'
import { hash } from 'node:crypto'
import type { Fingerprints } from '../revocations/revoked.js'

/** About 10 MB. */
const MAX_TOKENS = 10_000

/** A token whose signature was verified. */
export interface VerifiedToken {
  readonly claims: AccessToken
  /** Of what can revoke it. */
  readonly fingerprints: Fingerprints
}

/** An LRU cache of verified tokens by their SHA-256: the signature of each is verified once. */
export class TokenCache {
  readonly #tokens: LRUCache<string, VerifiedToken>

  constructor (max = MAX_TOKENS) {
    this.#tokens = new LRUCache({ max })
  }

  get (token: string): VerifiedToken | undefined {
    return this.#tokens.get(digest(token))
  }

  /** Adds a token; evicts the least recently used one if the cache is full. */
  set (token: string, verified: VerifiedToken): void {
    this.#tokens.set(digest(token), verified)
  }

  delete (token: string): void {
    this.#tokens.delete(digest(token))
  }
}

function digest (token: string) {
  return hash('sha256', token, 'base64')
}
