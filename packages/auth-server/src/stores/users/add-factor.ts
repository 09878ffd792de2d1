import type { Connection } from '@frontdesk/database/connection'
import { existsStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { unlessRightLost, type Administrator } from '../access/administrators.js'
import { spendStep } from '../operation/spent-ids.js'
import { standingStep, type StandingCheck } from './standing.js'
import { lockVerified, type VerifiedUser } from './verified-user.js'

/** The use of a link with which a user sets up a first factor. */
export interface FactorLinkUse {
  /** Digest of the link's id, in the used-once ledger. */
  readonly idHash: string
  /** Until when the ledger has it, in seconds since 1970. */
  readonly keptUntil: number
  /** The administrator or client who saw the link, if not at a shell. They must still have the right to make it. */
  readonly shownTo?: Administrator | undefined
}

/** What permits a user to add a factor. */
export interface FactorPermit {
  /** Decides by what is known of the user in the transaction. */
  readonly mayEnroll: StandingCheck
  /** A link that is used up; `undefined`: none. */
  readonly link?: FactorLinkUse | undefined
}

/**
 * Runs a transaction that adds a factor. Returns `null`, with nothing changed, if the password was changed or access revoked since it was
 * verified, `mayEnroll` returns `false`, or the link was used before, or who saw it has lost the right to make it.
 */
export async function addFactor<T> (
  connection: Connection, user: VerifiedUser, { mayEnroll, link }: FactorPermit, add: () => Steps<T | null>
): Promise<T | null> {
  return await unlessRightLost(connection, link?.shownTo, function * (): Steps<T | null> {
    if (!(yield * lockVerified(connection, user))) return null
    const standing = yield * standingStep(connection, user.id)
    if (standing === null || !mayEnroll(standing)) return null
    if (link === undefined) return yield * add()
    const { idHash, keptUntil } = link
    if (yield * existsStep(connection, sql`SELECT 1 FROM spent_id WHERE id_hash = ${idHash}`)) return null
    const added = yield * add()
    if (added !== null) yield * spendStep(connection, idHash, new Date(keptUntil * 1_000))
    return added
  })
}
