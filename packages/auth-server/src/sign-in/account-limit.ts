import { foldUsername } from '../stores/users/user-columns.js'
import type { Counter } from '../stores/operation/counters.js'
import { hashOpaqueToken } from './opaque-token.js'

/** Window of the rate limits of sign-in, in seconds, from the first failure. */
export const WINDOW_S = 15 * 60

const NAME = 'account'

/**
 * Maximum failed attempts on an account from an IPv4 address or a /64, then from a /56 and a /48. Wider prefixes have more users and
 * a higher limit, but a /48 allows no more guesses than a few addresses.
 */
export const PER_ACCOUNT = [5, 10, 20].map(points => ({ name: NAME, points, duration: WINDOW_S }))

const TYPED_NAME = 'typed'

/**
 * The same for a typed address, whether it names an account or not. A user name and an address are compared by different rules, so that
 * a spelling can name an account while a similar one does not: were they counted apart, the answer would reveal which one does. Other
 * names are compared as {@link accountKey} does.
 */
export const PER_TYPED_ADDRESS = PER_ACCOUNT.map(limit => ({ ...limit, name: TYPED_NAME }))

/** Key of the counter of an account's failed attempts from a source; `all`: from anywhere. */
export function accountKey (username: string, source: string): string {
  return `${hashOpaqueToken(foldUsername(username))} ${source}`
}

/** What the stored keys of all counters of a typed user name or address begin with. */
export function typedPrefix (typed: string): string {
  return `${TYPED_NAME}:${accountKey(typed, '')}`
}

/** What the stored keys of all counters of an account's wrong passwords begin with. */
export function accountPrefix (username: string): string {
  return `${NAME}:${accountKey(username, '')}`
}

const CODE_NAME = 'code'

/** Maximum wrong codes of a factor from a source, as for {@link PER_ACCOUNT}. */
export const CODES_PER_SOURCE = PER_ACCOUNT.map(limit => ({ ...limit, name: CODE_NAME }))

/** Maximum wrong codes of an account from all sources: 480 a day, of the 3 in a million that an authenticator app accepts. */
export const CODES_PER_ACCOUNT = { name: CODE_NAME, points: 20, duration: 60 * 60 }

/** What the stored keys of all counters of an account's wrong codes begin with. */
export function codePrefix (username: string): string {
  return `${CODE_NAME}:${accountKey(username, '')}`
}

/** Failed attempts on an account from a source. `isLimited`: attempts from there are refused until then. */
export interface AccountFailures { readonly source: string, readonly failures: number, readonly isLimited: boolean, readonly until: Date }

/** Reads a counter of an account. */
export function readAccountCounter ({ key, points, expire }: Counter): AccountFailures {
  const source = key.slice(key.indexOf(' ') + 1)
  const limit = PER_ACCOUNT[['/56', '/48'].findIndex(width => source.endsWith(width)) + 1]!.points
  return { source, failures: Math.min(points, limit), isLimited: points >= limit, until: expire }
}
