import { availableParallelism } from 'node:os'
import type { Throttles } from '../stores/throttle.js'
import type { User, Users } from '../stores/users.js'
import { hashOpaque } from './opaque.js'
import { MAX_PASSWORD_BYTES, verifyPassword } from './password.js'
import { sourceOf } from './source.js'
import { createTurns } from './turns.js'

/** Failed attempts on one account from one source: somebody's own mistakes. */
const PER_ACCOUNT = { name: 'account', points: 5, duration: 15 * 60 }
/** Failed attempts from one source on any accounts. Higher, for many people can share an address. */
const PER_SOURCE = { name: 'source', points: 30, duration: 15 * 60 }

/** Attempts of one source that are looked at at once: those under way count as failed until they are not. */
const WIDTH = 4

/**
 * Attempts of one source at once, with those that wait: a class that signs in together behind one address is served.
 * Those that wait take none of the {@link PLACES}, so a single source cannot take them all.
 */
const LINE = 64

/** Attempts that are under way at once: the last of them waits about a second. */
const PLACES = 64 * availableParallelism()

/** How an attempt to sign in ended. */
export type SignInResult =
  | { readonly outcome: 'signed in', readonly user: User }
  /** `userId`: whose account was tried, if it is anybody's. */
  | { readonly outcome: 'wrong', readonly userId: string | null }
  /** Not looked at: try again after that many seconds. */
  | { readonly outcome: 'throttled', readonly retryAfter: number }
  /** Not looked at: too many others are, too many of this source wait, or nobody waits for the answer any more. */
  | { readonly outcome: 'busy' }

/** Checks user names and passwords. Who has gone (`isGone`) before it is their turn is not looked at. */
export type SignIn = (username: string, password: string, address: string, isGone: () => boolean) => Promise<SignInResult>

/**
 * Makes the check. Every wrong attempt looks the same and costs the same: unknown, disabled or empty. Nothing locks
 * an account; a source that fails too often waits.
 */
export function createSignIn (users: Users, throttles: Throttles): SignIn {
  const inTurn = createTurns(WIDTH, LINE)
  let underway = 0
  const perAccount = throttles.under(PER_ACCOUNT)
  const perSource = throttles.under(PER_SOURCE)

  return async (username, password, address, isGone) => {
    const source = sourceOf(address)
    return await inTurn<SignInResult>(source, async () => {
      if (underway === PLACES || isGone()) return { outcome: 'busy' }
      underway++
      return await attempt(username, password, source).finally(() => { underway-- })
    }) ?? { outcome: 'busy' }
  }

  async function attempt (username: string, password: string, source: string): Promise<SignInResult> {
    const account = hashOpaque(`${source} ${username.normalize('NFKC').toLowerCase()}`)
    // Counted before the password is looked at: attempts at once cannot slip through.
    const [refusedFor, sourceRefusedFor] = await Promise.all([perAccount.count(account), perSource.count(source)])
    // What the account refuses is not held against everybody else at the source.
    if (refusedFor > 0) await perSource.takeBack(source)
    const retryAfter = refusedFor || sourceRefusedFor
    if (retryAfter > 0) return { outcome: 'throttled', retryAfter }

    const user = await users.find(username)
    const usable = user?.disabledAt === null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
    const matches = await verifyPassword(usable ? user.passwordHash : undefined, usable ? password : '')
    if (!matches || user === null) return { outcome: 'wrong', userId: user?.id ?? null }

    await Promise.all([perAccount.reset(account), perSource.takeBack(source)])
    return { outcome: 'signed in', user }
  }
}
