import type { Throttles } from '../stores/operation/throttles.js'
import { accountKey, CODES_PER_ACCOUNT, CODES_PER_SOURCE } from './account-limit.js'
import { createCounters } from './counters.js'
import { sourcesOf } from './source.js'

/** The result of a check. */
type LimitedCode<T> =
  /** `counted` resolves once earlier failures are reset. Await it before the response. */
  | { readonly outcome: 'right', readonly value: T, readonly counted: Promise<unknown> }
  | { readonly outcome: 'wrong code' }
  /** Not checked. `retryAfter` in seconds. */
  | { readonly outcome: 'throttled', readonly retryAfter: number }

/** Checks a code unless too many were wrong. @param check returns `null` for a wrong code */
export type LimitCode = <T>(
  attempt: { readonly username: string, readonly address: string }, check: () => Promise<T | null>
) => Promise<LimitedCode<T>>

/** Makes the limit. Wrong codes count for the account and source, and for the account alone: codes are short, and sources are cheap. */
export function createLimitCode (throttles: Throttles): LimitCode {
  const perSource = CODES_PER_SOURCE.map(limit => throttles.under(limit))
  const perAccount = [throttles.under(CODES_PER_ACCOUNT)]

  return async ({ username, address }, check) => {
    const ofSource = createCounters(perSource, sourcesOf(address).map(source => accountKey(username, source)))
    const ofAccount = createCounters(perAccount, [accountKey(username, 'all')])
    // Counted before the check, so that concurrent attempts cannot exceed the limits.
    const bySource = await ofSource.count()
    const retryAfter = bySource.retryAfter || (await ofAccount.count()).retryAfter
    if (retryAfter > 0) return { outcome: 'throttled', retryAfter }
    try {
      const value = await check()
      if (value === null) return { outcome: 'wrong code' }
      return { outcome: 'right', value, counted: Promise.all([ofSource.reset(), ofAccount.reset()]) }
    } catch (error) {
      // A failure of this server does not count as the user's.
      await Promise.all([ofSource.takeBack(), ofAccount.takeBack()])
      throw error
    }
  }
}
