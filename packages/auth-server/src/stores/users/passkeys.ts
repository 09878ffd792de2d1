import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, executeStep, query, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { usedOnce } from '@frontdesk/database/used-once'
import { passkey, spentId } from '../../generated/tables.js'
import { addFactor, type FactorPermit } from './add-factor.js'
import { addFirstRecoveryCodes } from './recovery-codes.js'
import type { VerifiedUser } from './verified-user.js'

/** Maximum passkeys of a user. */
export const MAX_PASSKEYS = 20

const LISTED = pick(passkey, 'id', 'name', 'createdAt', 'lastUsedAt')
const STORED = pick(passkey, 'id', 'userId', 'publicKey')

/** A passkey, as its user sees it. `lastUsedAt`: the last sign-in with it. */
export type ListedPasskey = Row<typeof LISTED>

/** A passkey, with what verifies its signatures. */
export type StoredPasskey = Row<typeof STORED>

/** A passkey that was verified. `counter`: see {@link VerifiedUse}. */
export interface NewPasskey extends Pick<StoredPasskey, 'id' | 'publicKey'>, Pick<ListedPasskey, 'name'>, Pick<VerifiedUse, 'counter'> {}

/** A signature that was verified. */
interface VerifiedUse {
  readonly id: string
  readonly userId: string
  /** Signature counter of the authenticator; 0: it has none. */
  readonly counter: bigint
}

/** The passkeys of users: at most {@link MAX_PASSKEYS} for each. */
export interface Passkeys {
  /** The passkeys of a user, oldest first. */
  list (userId: string): Promise<ListedPasskey[]>
  /** A passkey by its id; `null`: unknown. */
  find (id: string): Promise<StoredPasskey | null>
  /** Renames a passkey of a user. Returns `false` if the user has none with this id. */
  rename (userId: string, id: string, name: string): Promise<boolean>
  /** Atomic: uses a challenge up. Exactly one concurrent caller gets `true`. @param expiresAt when it is no longer accepted in any case */
  claim (challenge: string, expiresAt: Date): Promise<boolean>
  /**
   * Atomic: records a use. Returns `false` if the passkey was removed, or its counter did not rise: it could be a copy (WebAuthn Level 3
   * §6.1.1).
   */
  use (used: VerifiedUse, now: Date): Promise<boolean>
  /**
   * Atomic: adds a passkey. Returns whether the recovery codes were added; `null`, with nothing changed, if it is known, the user has
   * {@link MAX_PASSKEYS}, or for a reason in {@link addFactor}.
   * @param recoveryCodes hashes, which are added unless the user has any
   */
  enroll (
    user: VerifiedUser, added: NewPasskey, recoveryCodes: readonly string[], permit: FactorPermit
  ): Promise<{ readonly areCodesNew: boolean } | null>
}

export function openPasskeys (connection: Connection): Passkeys {
  const [listed, stored] = [raw(columnNames(LISTED)), raw(columnNames(STORED))]
  const now = raw(databaseTime(connection))
  return {
    list: userId => query(connection, LISTED, sql`
      SELECT ${listed} FROM passkey WHERE user_id = ${userId} ORDER BY created_at, id LIMIT ${MAX_PASSKEYS}`),
    async find (id) {
      return (await query(connection, STORED, sql`SELECT ${stored} FROM passkey WHERE id = ${id}`))[0] ?? null
    },
    rename: async (userId, id, name) => await execute(connection, sql`
      UPDATE passkey SET name = ${name} WHERE id = ${id} AND user_id = ${userId}`) === 1,
    claim: usedOnce(connection, spentId),
    use: async ({ id, userId, counter }, now) => await execute(connection, sql`
      UPDATE passkey SET counter = ${counter}, last_used_at = ${now}
      WHERE id = ${id} AND user_id = ${userId} AND (counter < ${counter} OR (counter = 0 AND counter = ${counter}))`) === 1,
    enroll: (user, { id, publicKey, counter, name }, recoveryCodes, permit) =>
      addFactor(connection, user, permit, function * (): Steps<{ areCodesNew: boolean } | null> {
        const added = yield * executeStep(connection, sql`
          INSERT INTO passkey (id, user_id, public_key, counter, name, created_at)
          SELECT ${id}, ${user.id}, ${publicKey}, ${counter}, ${name}, ${now}
          WHERE (SELECT COUNT(*) FROM passkey WHERE user_id = ${user.id}) < ${MAX_PASSKEYS}
          ON CONFLICT DO NOTHING`)
        return added === 0 ? null : { areCodesNew: yield * addFirstRecoveryCodes(connection, user.id, recoveryCodes) }
      })
  }
}
