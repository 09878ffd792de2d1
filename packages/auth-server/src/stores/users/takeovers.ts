import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, existsStep, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createAccessEnd } from '../access/end-access.js'
import { FACTOR_TABLE, hasFactorStep } from '../access/enrolled-factors.js'
import { lockUser } from '../access/roles.js'
import { spendStep } from '../operation/spent-ids.js'
import { removeRest } from './factors.js'
import { removeIdentity } from './upstream-identities.js'
import { setHash } from './user-columns.js'

/** A factor of a user. */
export interface FactorId { readonly kind: keyof typeof FACTOR_TABLE, readonly id: string }

/** A link with which a user denies a change of their account. */
interface UsedLink {
  readonly userId: string
  /** Identifies the link, which works once. */
  readonly idHash: string
  /** Until when its use is stored. */
  readonly keptUntil: Date
  /** The address that received it. */
  readonly mailedTo: string
  /** The factor that was added; `undefined`: none. */
  readonly factor?: FactorId | undefined
}

/** The result of {@link Takeovers.stop}. */
interface Stopped {
  /** Whether the address that received the link is still the user's, and verified. */
  readonly isMailable: boolean
  readonly isFactorRemoved: boolean
  /** Whether an account at the upstream provider was disconnected. */
  readonly isDisconnected: boolean
}

/** Stops someone who uses another user's account. */
export interface Takeovers {
  /**
   * Atomic: uses the link up, replaces the password, ends all sessions and revokes all codes, tokens and trusted browsers. Removes the
   * link's factor, even if a role requires one, and with the last factor the recovery codes; and the account at the upstream provider, with
   * which someone else could sign in again. Any other address than the one that received
   * the link loses its verification, so that it cannot be used to set a password. Returns `null`, with nothing changed, if the link was
   * used before, or the user is disabled or removed.
   * @param passwordHash one that no password matches
   */
  stop (link: UsedLink, passwordHash: string): Promise<Stopped | null>
}

export function openTakeovers (connection: Connection): Takeovers {
  const access = createAccessEnd(connection)
  const now = raw(databaseTime(connection))

  function * removeFactor (userId: string, { kind, id }: FactorId): Steps<boolean> {
    const deletion = sql`DELETE FROM ${raw(FACTOR_TABLE[kind])} WHERE user_id = ${userId} AND id = ${id}`
    if ((yield * executeStep(connection, deletion)) === 0) return false
    if (!(yield * hasFactorStep(connection, userId))) yield * removeRest(connection, userId)
    return true
  }

  return {
    stop: ({ userId, idHash, keptUntil, mailedTo, factor }, passwordHash) => connection.transact(function * (): Steps<Stopped | null> {
      // A statement of its own, so that the next ones see the changes that it waited for.
      yield * lockUser(connection, userId)
      if (!(yield * existsStep(connection, sql`SELECT 1 FROM user_account WHERE id = ${userId} AND disabled_at IS NULL`))) return null
      if (!(yield * spendStep(connection, idHash, keptUntil))) return null
      const [changed] = yield * queryStep(connection, { emailVerified: 'boolean' }, sql`
        UPDATE user_account SET ${setHash(passwordHash)}, updated_at = ${now},
          email_verified = (email_verified AND email IS NOT DISTINCT FROM ${mailedTo})
        WHERE id = ${userId} RETURNING email_verified`)
      const isFactorRemoved = factor !== undefined && (yield * removeFactor(userId, factor))
      const isDisconnected = (yield * removeIdentity(connection, userId)) !== null
      yield * access.steps([{ userId }])
      return { isMailable: changed?.emailVerified === true, isFactorRemoved, isDisconnected }
    })
  }
}
