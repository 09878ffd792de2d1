import { TOKEN_TTL } from '../lifetimes.js'
import type { StoredKey } from '../stores/signing-keys.js'

/**
 * How long a key is published before it signs, in milliseconds: longer than resource servers and caches keep a key
 * set without looking again. The answer with the keys may be kept for 5 minutes, customer-service asks every 5 minutes.
 */
export const ANNOUNCEMENT = 60 * 60_000

/**
 * The shortest announcement, in milliseconds: every replica reads the keys within 10 seconds and publishes it, and
 * customer-service may ask for a key that it does not know once in 30 seconds. Sooner, good tokens would be refused.
 */
export const LEAST_ANNOUNCEMENT = 45_000

/** How long a key is published after it has signed last, in milliseconds: the longest lifetime of a token, and two minutes for clocks. */
export const AFTERLIFE = (TOKEN_TTL.maximum + 120) * 1_000

/** `announced`: published, signs later; `signing`; `published`: its tokens are still out; `retired`: withdrawn. */
export type KeyState = 'announced' | 'signing' | 'published' | 'retired'

/** Where in its life a key is. */
export interface KeyDescription {
  readonly kid: string
  readonly alg: string
  readonly state: KeyState
  readonly createdAt: Date
  readonly signsFrom: Date
  /** When a younger key takes over; `null` if there is none yet. */
  readonly signsUntil: Date | null
  /** When it is, or was, withdrawn; `null` if that is not known yet. */
  readonly retiresAt: Date | null
}

/**
 * Says where in its life each key is. It follows from the times in the rows alone, so that every replica says the same.
 * @param keys oldest first
 */
export function describeKeys (keys: readonly StoredKey[], now: Date): KeyDescription[] {
  const signer = signerOf(keys, now)
  return keys.map(key => {
    const { kid, alg, createdAt, signsFrom, retiredAt } = key
    const signsUntil = endOf(key, keys)
    const state = retiredAt !== null ? 'retired' : key === signer ? 'signing' : signsFrom > now ? 'announced' : 'published'
    const retiresAt = retiredAt ?? (signsUntil === null ? null : new Date(signsUntil.getTime() + AFTERLIFE))
    return { kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }
  })
}

/**
 * The key that signs: the youngest whose time has come, or the oldest if that of none has, as where a clock is behind.
 * @param keys oldest first
 */
export function signerOf<T extends StoredKey> (keys: readonly T[], now: Date): T | undefined {
  const usable = keys.filter(({ retiredAt }) => retiredAt === null)
  return usable.findLast(({ signsFrom }) => signsFrom <= now) ?? usable[0]
}

/** When the first of the younger keys begins to sign. */
function endOf ({ generation }: StoredKey, keys: readonly StoredKey[]): Date | null {
  const younger = keys.filter(key => key.generation > generation && key.retiredAt === null).map(({ signsFrom }) => signsFrom.getTime())
  return younger.length === 0 ? null : new Date(Math.min(...younger))
}
