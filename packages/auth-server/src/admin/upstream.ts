import type { Config } from '../config.js'
import { upstreamChanged } from '../mail/upstream-notice.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { recorded } from './audit.js'
import { assertMayChangeUser } from './rights.js'
import { sendNotice } from './send-notice.js'
import { findDetails, summaryOf, type UserSummary } from './user-details.js'
import type { UserStores } from './users.js'
import type { Reason } from '../languages/reason.js'

/** The issuer of the disconnected account; `null`: there was none. And why the user was not emailed about it, in a sentence. */
interface Disconnected { readonly issuer: string | null, readonly mailFailure?: Reason }

/**
 * Disconnects the account of a user at the upstream provider, ends all sessions and revokes all access. Emails the user.
 * @throws Refusal
 */
export async function disconnectUser (
  stores: UserStores & Pick<Stores, 'upstreamIdentities'>, key: UserKey, config: Config, by: Actor
): Promise<UserSummary & Disconnected> {
  const user = await findDetails(stores, key)
  await assertMayChangeUser(stores, by, user.id)
  const event = (issuer: unknown) => ({ userId: user.id, details: { issuer } })
  const issuer = await recorded(stores, 'user disconnect', event, by).upstreamIdentities.remove(user.id)
  if (issuer === null) return { ...summaryOf(user), issuer }
  const { upstream } = config
  // It can have been another provider.
  const notice = upstreamChanged('disconnected', upstream?.issuer === issuer ? upstream.name : issuer)
  const mailFailure = await sendNotice(stores, user, notice, config)
  return { ...summaryOf(user), issuer, ...mailFailure !== undefined && { mailFailure } }
}
