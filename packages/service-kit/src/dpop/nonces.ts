import { createHmac } from 'node:crypto'

/** How long a nonce is the current one, in seconds. */
const PERIOD_S = 60

/** Periods for which a nonce is accepted after that: enough for a slow network, or for a clock that is behind. */
const KEPT = 2

/** Periods that the clock of another replica can be ahead. */
const AHEAD = 1

/** Nonces for DPoP proofs (RFC 9449 §8, §9). */
export interface Nonces {
  /** The nonce to send. */
  current (now: Date): string
  /** Whether a nonce is valid: it was made at most two to three minutes ago. */
  has (nonce: string | undefined, now: Date): boolean
  /** When every currently valid nonce has expired on all replicas. */
  expiry (now: Date): Date
}

/**
 * Creates {@link Nonces} without storage: each is the HMAC of a period of time. Replicas with the same keys accept each other's.
 * @param keys of 256 bits; the first one signs
 */
export function createNonces ([key, ...previous]: readonly [Uint8Array, ...Uint8Array[]]): Nonces {
  let known = { period: NaN, current: '', valid: new Set<string>() }
  const make = (key: Uint8Array, period: number) => createHmac('sha256', key).update(String(period)).digest('base64url')

  /** The nonces of a period, cached. */
  function at (now: Date) {
    const period = Math.floor(now.getTime() / 1_000 / PERIOD_S)
    if (period !== known.period) {
      const periods = Array.from({ length: KEPT + 1 + AHEAD }, (_, index) => period - KEPT + index)
      const valid = new Set([key, ...previous].flatMap(key => periods.map(it => make(key, it))))
      known = { period, current: make(key, period), valid }
    }
    return known
  }

  return {
    current: now => at(now).current,
    has: (nonce, now) => nonce !== undefined && at(now).valid.has(nonce),
    // A nonce of the next period is already valid: another replica's clock can be behind by a period.
    expiry: now => new Date(now.getTime() + (AHEAD + 1 + KEPT + AHEAD) * PERIOD_S * 1_000)
  }
}
