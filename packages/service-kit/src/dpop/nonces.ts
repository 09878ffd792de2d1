import { createHmac } from 'node:crypto'

/** How long a nonce is the current one, in seconds. */
const PERIOD_S = 60

/** For how many periods it is accepted after that: long enough for a slow network, and for a clock that is behind. */
const KEPT = 2

/** How far the clock of the replica that made a nonce may be ahead, in periods. */
const AHEAD = 1

/** Nonces that a server gives to its clients for their DPoP proofs (RFC 9449 §8, §9). */
export interface Nonces {
  /** The nonce to give out. */
  current (now: Date): string
  /** Whether a nonce was made here, two to three minutes ago at most. */
  has (nonce: string | undefined, now: Date): boolean
  /** When no nonce that is valid now is valid any more, on no replica. */
  endOf (now: Date): Date
}

/**
 * Makes {@link Nonces} that need no storage: each is the HMAC of its period of the clock. Replicas with the same keys accept each
 * other's. @param keys of 256 bits; the first one signs
 */
export function createNonces ([key, ...previous]: readonly [Uint8Array, ...Uint8Array[]]): Nonces {
  let known = { period: NaN, current: '', valid: new Set<string>() }
  const make = (key: Uint8Array, period: number) => createHmac('sha256', key).update(String(period)).digest('base64url')

  /** The nonces of a period, made once. */
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
    endOf: now => new Date(now.getTime() + (AHEAD + 1 + KEPT + AHEAD) * PERIOD_S * 1_000)
  }
}
