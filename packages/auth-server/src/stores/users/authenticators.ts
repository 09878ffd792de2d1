import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, executeStep, query, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { authenticator } from '../../generated/tables.js'
import { addFactor, type FactorPermit } from './add-factor.js'
import { addFirstRecoveryCodes } from './recovery-codes.js'
import { endTrustStep } from './trusted-browsers.js'
import type { VerifiedUser } from './verified-user.js'

const STORED = pick(authenticator, 'id', 'secret')

/** An authenticator app, with its encrypted secret. */
type StoredAuthenticator = Row<typeof STORED>

/** An authenticator app that was confirmed by a code. */
interface NewAuthenticator extends StoredAuthenticator {
  /** Time step of this code. */
  readonly lastStep: number
  /** Id of the app that it replaces; `null`: it is the first. */
  readonly replaces: string | null
  /** Hashes of recovery codes, which are added unless the user has any. */
  readonly recoveryCodes: readonly string[]
}

/** The authenticator apps of users (TOTP, RFC 6238): one for each. */
export interface Authenticators {
  /** The app of a user; `null`: none. */
  find (userId: string): Promise<StoredAuthenticator | null>
  /**
   * Atomic: uses up the code of a time step. Exactly one concurrent caller gets `true`: an earlier step, or the same one, is refused
   * (RFC 6238 §5.2).
   */
  use (code: { readonly userId: string, readonly id: string, readonly step: number }, now: Date): Promise<boolean>
  /**
   * Atomic: adds the app, or replaces the one that was there when it began, and then ends the trust of all browsers. Returns whether the
   * recovery codes were added; `null`, with nothing changed, if another app was added or removed meanwhile, or for a reason in
   * {@link addFactor}.
   */
  enroll (user: VerifiedUser, app: NewAuthenticator, permit: FactorPermit): Promise<{ readonly areCodesNew: boolean } | null>
}

export function openAuthenticators (connection: Connection): Authenticators {
  const names = raw(columnNames(STORED))
  const now = raw(databaseTime(connection))
  return {
    async find (userId) {
      return (await query(connection, STORED, sql`SELECT ${names} FROM authenticator WHERE user_id = ${userId}`))[0] ?? null
    },
    use: async ({ userId, id, step }, now) => await execute(connection, sql`
      UPDATE authenticator SET last_step = ${step}, last_used_at = ${now}
      WHERE user_id = ${userId} AND id = ${id} AND last_step < ${step}`) === 1,
    enroll: (user, app, permit) => addFactor(connection, user, permit, function * (): Steps<{ areCodesNew: boolean } | null> {
      const { id, secret, lastStep, replaces, recoveryCodes } = app
      const stored = yield * executeStep(connection, sql`
        INSERT INTO authenticator (user_id, id, secret, last_step, created_at) VALUES (${user.id}, ${id}, ${secret}, ${lastStep}, ${now})
        ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, secret = excluded.secret, last_step = excluded.last_step,
          created_at = excluded.created_at, last_used_at = NULL
        WHERE authenticator.id = ${replaces}`)
      if (stored === 0) return null
      if (replaces !== null) yield * endTrustStep(connection, user.id)
      return { areCodesNew: yield * addFirstRecoveryCodes(connection, user.id, recoveryCodes) }
    })
  }
}
