import type { Throttles } from '../stores/throttles.js'
import type { User, Users } from '../stores/users.js'
import { createCounters } from './counters.js'
import { hashOpaqueToken } from './opaque-token.js'
import { CORES, MAX_PASSWORD_BYTES, verifyPassword } from './password.js'
import { createQueue } from './queue.js'
import { sourcesOf } from './source.js'
import { createPerKeyLimit } from './per-key-limit.js'

/** Seconds that failures count, from the first on. */
const duration = 15 * 60

/**
 * Failed attempts on one account from one source: an IPv4 address or a /64, then a /56 and a /48. The wider ones are
 * higher, for they hold more people; whoever has a /48 gets no more guesses from it than from a few addresses.
 */
const PER_ACCOUNT = [5, 10, 20].map(points => ({ name: 'account', points, duration }))
/** Failed attempts from one source on any accounts. Higher, for many people can share an address. */
const PER_SOURCE = [30, 60, 120].map(points => ({ name: 'source', points, duration }))

/** Attempts of one source that are looked at at once: those under way count as failed until they are not. */
const WIDTH = 4

/** Attempts of one source at once, with those that wait: a class that signs in together behind one address is served. */
const LINE = 64

/** Passwords that are checked or wait to be: the last of them waits one or two seconds. */
const PLACES = 128 * CORES

/** How an attempt to sign in ended. */
export type SignInResult =
  | { readonly outcome: 'signed in', readonly user: User }
  /** `userId`: whose account was tried, if it is anybody's. */
  | { readonly outcome: 'wrong', readonly userId: string | null }
  /** Not looked at: try again after that many seconds. */
  | { readonly outcome: 'throttled', readonly retryAfter: number }
  /** Not looked at: too many others are, too many of this source wait, or the caller has disconnected. */
  | { readonly outcome: 'busy' }

/** Checks user names and passwords. Who has gone (`isGone`) before it is their turn is not looked at. */
export type SignIn = (username: string, password: string, address: string, isGone: () => boolean) => Promise<SignInResult>

/**
 * Makes the check. Every wrong attempt looks the same and costs the same: unknown, disabled or empty. Nothing locks
 * an account; a source that fails too often waits. Where more passwords come than can be checked, sources without recent
 * failures go first, and the others take turns.
 */
export function createSignIn (users: Users, throttles: Throttles): SignIn {
  const bySource = createPerKeyLimit(WIDTH, LINE)
  const inTurn = createQueue(CORES, PLACES)
  const perAccount = PER_ACCOUNT.map(limit => throttles.under(limit))
  const perSource = PER_SOURCE.map(limit => throttles.under(limit))

  return async (username, password, address, isGone) => {
    const sources = sourcesOf(address)
    return await bySource<SignInResult>(sources[0], async () => {
      return isGone() ? { outcome: 'busy' } : await attempt(username, password, sources, isGone)
    }) ?? { outcome: 'busy' }
  }

  async function attempt (username: string, password: string, sources: readonly [string, ...string[]], isGone: () => boolean): Promise<SignInResult> {
    const name = username.normalize('NFKC').toLowerCase()
    const account = createCounters(perAccount, sources.map(source => hashOpaqueToken(`${source} ${name}`)))
    const origin = createCounters(perSource, sources)
    // Counted before the password is looked at: attempts at once cannot slip through.
    const [ofAccount, ofOrigin] = await Promise.all([account.count(), origin.count()])
    // What the account refuses is not held against all others at the source.
    if (ofAccount.retryAfter > 0) await origin.takeBack()
    const retryAfter = ofAccount.retryAfter || ofOrigin.retryAfter
    if (retryAfter > 0) return { outcome: 'throttled', retryAfter }

    const user = await users.find(username)
    const usable = user?.disabledAt === null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
    const matches = await inTurn(sources[0], ofOrigin.used, async () => {
      return isGone() ? undefined : await verifyPassword(usable ? user.passwordHash : undefined, usable ? password : '')
    })
    if (matches === undefined) {
      await Promise.all([account.takeBack(), origin.takeBack()])
      return { outcome: 'busy' }
    }
    if (!matches || user === null) return { outcome: 'wrong', userId: user?.id ?? null }

    await Promise.all([account.reset(), origin.takeBack()])
    return { outcome: 'signed in', user }
  }
}
