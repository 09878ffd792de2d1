import { TOKEN_TTL } from '../lifetimes.js'
import type { StoredKey } from '../stores/operation/signing-keys.js'

/**
 * How long a key is published before it signs, in milliseconds: longer than resource servers and caches keep a key set. Responses are
 * cached for 5 minutes, and customer-service fetches the keys every 5 minutes.
 */
export const ANNOUNCEMENT_MS = 60 * 60_000

/**
 * Minimum announcement, in milliseconds: every replica publishes a new key within 10 seconds, and customer-service fetches unknown
 * keys at most every 30 seconds. A shorter one would make it reject valid tokens.
 */
export const MIN_ANNOUNCEMENT_MS = 45_000

/** How long a key stays published after its last signature, in milliseconds: the longest token lifetime, and 2 min of clock skew. */
export const KEPT_AFTER_LAST_USE_MS = (TOKEN_TTL.maximum + 120) * 1_000

/** `announced`: published, signs later. `published`: no longer signs, but its tokens are valid. `retired`: not published. */
type KeyState = 'announced' | 'signing' | 'published' | 'retired'

/** A key and its state. */
export interface KeyDescription {
  readonly kid: string
  readonly alg: string
  readonly state: KeyState
  readonly createdAt: Date
  readonly signsFrom: Date
  /** When a newer key takes over; `null` if there is none yet. */
  readonly signsUntil: Date | null
  /** When it is or was retired; `null` if unknown. */
  readonly retiresAt: Date | null
}

/** Describes the state of each key by the times in the rows alone, so that all replicas agree. @param keys oldest first */
export function describeKeys (keys: readonly StoredKey[], now: Date): KeyDescription[] {
  const signer = findSigner(keys, now)
  return keys.map(key => {
    const { kid, alg, createdAt, signsFrom, retiredAt } = key
    const signsUntil = signingEnd(key, keys)
    const state = retiredAt !== null ? 'retired' : key === signer ? 'signing' : signsFrom > now ? 'announced' : 'published'
    const retiresAt = retiredAt ?? (signsUntil === null ? null : new Date(signsUntil.getTime() + KEPT_AFTER_LAST_USE_MS))
    return { kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }
  })
}

/** The signing key: the newest whose `signsFrom` has passed or, if the clock is behind all, the oldest. @param keys oldest first */
export function findSigner<T extends StoredKey> (keys: readonly T[], now: Date): T | undefined {
  const usable = keys.filter(({ retiredAt }) => retiredAt === null)
  return usable.findLast(({ signsFrom }) => signsFrom <= now) ?? usable[0]
}

/** When a newer key takes over. */
function signingEnd ({ generation }: StoredKey, keys: readonly StoredKey[]): Date | null {
  const younger = keys.filter(key => key.generation > generation && key.retiredAt === null).map(({ signsFrom }) => signsFrom.getTime())
  return younger.length === 0 ? null : new Date(Math.min(...younger))
}
