import { manyWrongCodes } from '../mail/account-notices.js'
import type { Notify } from '../mail/notices.js'
import type { Throttles } from '../stores/operation/throttles.js'
import type { User } from '../stores/users/users.js'
import { accountKey, CODES_PER_ACCOUNT, CODES_PER_SOURCE } from './account-limit.js'
import { createCounters } from './counters.js'
import { createEmailLimit } from './email-limit.js'
import { sourcesOf } from './source.js'

/** The result of a check. */
type LimitedCode<T> =
  /** `counted` resolves once earlier failures are reset. Await it before the response. */
  | { readonly outcome: 'right', readonly value: T, readonly counted: Promise<unknown> }
  | { readonly outcome: 'wrong code' }
  /** Not checked. `retryAfter` in seconds. */
  | { readonly outcome: 'throttled', readonly retryAfter: number }

/** An attempt to enter a code. */
interface Attempt { readonly user: Pick<User, 'id' | 'username'>, readonly address: string }

/** Checks a code unless too many were wrong. @param check returns `null` for a wrong code */
export type LimitCode = <T>(attempt: Attempt, check: () => Promise<T | null>) => Promise<LimitedCode<T>>

const DAY_S = 24 * 60 * 60

/** After this many wrong codes in a day, the user gets an email: someone knows the password. */
const MANY_WRONG_CODES = 20

/** Maximum emails about wrong codes to one user: one a day. */
const EMAILS_PER_USER = [{ points: 1, duration: DAY_S }]

interface Options {
  readonly throttles: Throttles
  readonly notify: Notify
  /** Called if a wrong code was not counted for the email. */
  readonly onFailure: (error: unknown) => void
}

/** Makes the limit. Wrong codes count for the account and source, and for the account alone: codes are short, and sources are cheap. */
export function createLimitCode ({ throttles, notify, onFailure }: Options): LimitCode {
  const perSource = CODES_PER_SOURCE.map(limit => throttles.under(limit))
  const perAccount = [throttles.under(CODES_PER_ACCOUNT)]
  const perDay = throttles.under({ name: 'wrong codes', points: MANY_WRONG_CODES - 1, duration: DAY_S })
  const emails = createEmailLimit(throttles, 'wrong codes mail', EMAILS_PER_USER)

  async function countWrong (userId: string) {
    const { retryAfter } = await perDay.count(userId)
    if (retryAfter > 0 && await emails.ofUser(userId) === 0) await notify(userId, manyWrongCodes(MANY_WRONG_CODES))
  }

  return async ({ user: { id, username }, address }, check) => {
    const ofSource = createCounters(perSource, sourcesOf(address).map(source => accountKey(username, source)))
    const ofAccount = createCounters(perAccount, [accountKey(username, 'all')])
    // Counted before the check, so that concurrent attempts cannot exceed the limits.
    const bySource = await ofSource.count()
    const retryAfter = bySource.retryAfter || (await ofAccount.count()).retryAfter
    if (retryAfter > 0) return { outcome: 'throttled', retryAfter }
    try {
      const value = await check()
      if (value === null) {
        // Not awaited: the response is the same.
        countWrong(id).catch(onFailure)
        return { outcome: 'wrong code' }
      }
      return { outcome: 'right', value, counted: Promise.all([ofSource.reset(), ofAccount.reset()]) }
    } catch (error) {
      // A failure of this server does not count as the user's.
      await Promise.all([ofSource.takeBack(), ofAccount.takeBack()])
      throw error
    }
  }
}
