import type { Config } from '../config.js'
import { factorChanged } from '../mail/factor-notice.js'
import type { Stores } from '../stores/stores.js'
import type { EnrolledFactors } from '../stores/users/factors.js'
import type { TrustedBrowser } from '../stores/users/trusted-browsers.js'
import type { ConnectedIdentity } from '../stores/users/upstream-identities.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { recorded } from './audit.js'
import { assertMayChangeUser } from './rights.js'
import { sendNotice } from './send-notice.js'
import { unknownUser } from './unknown.js'
import { findDetails, findUser, summaryOf, type UserSummary } from './user-details.js'
import type { UserStores } from './users.js'
import type { Reason } from '../languages/reason.js'

/** What a user signs in with besides the password, without secrets. */
type ListedFactors = EnrolledFactors & {
  readonly trustedBrowsers: readonly TrustedBrowser[]
  readonly upstream: ConnectedIdentity | null
}

/** The factors, the trusted browsers and the upstream account of a user. @throws Refusal */
export async function listFactors (
  stores: Pick<Stores, 'users' | 'factors' | 'trustedBrowsers' | 'upstreamIdentities' | 'clock'>, key: UserKey
): Promise<ListedFactors> {
  const { id } = await findUser(stores, key)
  const [factors, trustedBrowsers, upstream] = await Promise.all([
    stores.factors.find(id), stores.trustedBrowsers.list(id, stores.clock.now()), stores.upstreamIdentities.find(id)
  ])
  return { ...factors, trustedBrowsers, upstream }
}

/** The removed factors, by kind, and why the user was not emailed about it, in a sentence. */
interface Removed { readonly removed: readonly string[], readonly mailFailure?: Reason }

/**
 * Removes all factors of a user who cannot use them any more, with recovery codes and trusted browsers. Sessions stay. Emails the user.
 * @throws Refusal
 */
export async function removeFactors (stores: UserStores, key: UserKey, config: Config, by: Actor): Promise<UserSummary & Removed> {
  const user = await findDetails(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  const event = (removed: unknown) => ({ userId: user.id, details: { removed } })
  const removed = await recorded(stores, 'user remove-factors', event, by).factors.removeAll({ id: user.id })
  if (removed === null) throw await unknownUser(stores, key)
  const mailFailure = removed.length === 0 ? undefined : await sendNotice(stores, user, factorChanged('removed'), config)
  return { ...summaryOf(user), removed, ...mailFailure !== undefined && { mailFailure } }
}
