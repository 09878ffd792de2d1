import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, existsStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { hash } from 'node:crypto'
import { spendStep } from '../operation/spent-ids.js'
import { foldedEmail, foldEmail } from './user-columns.js'
import { createUserInsertion, type NewUser } from './user-insertion.js'
import { useCode } from './sign-up-codes.js'

/** The emailed link with which a user signs up. */
interface UsedLink {
  /** Identifies the link, which works once. */
  readonly idHash: string
  /** Until when its use is stored. */
  readonly keptUntil: Date
  /** Hash of the invitation code; `undefined`: none is needed. */
  readonly codeHash: string | undefined
}

/** A user who signs up: the address has received the link. */
type SignedUpUser = Omit<NewUser, 'demo' | 'emailVerified' | 'isInvited'> & { readonly email: string }

/** Why a user was not added, with nothing changed. `known`: another account has the verified address. */
type WhyNotSignedUp = 'ended link' | 'known address' | 'used code' | 'taken name'

/** Adds the users who sign up. */
export interface SignUps {
  /**
   * Atomic: uses up the link and a use of the invitation code, and adds the user. So of several concurrent calls with the same link,
   * address or user name, exactly one succeeds. Returns the code's id, `null` without a code; or why not.
   */
  add (user: SignedUpUser, link: UsedLink): Promise<{ readonly codeId: string | null } | WhyNotSignedUp>
}

/** How long the row that locks an address is kept, in seconds: it matters only during the transaction. */
const LOCK_S = 60

class NotSignedUp extends Error {
  readonly why: WhyNotSignedUp

  constructor (why: WhyNotSignedUp) {
    super(why)
    this.why = why
  }
}

export function openSignUps (connection: Connection): SignUps {
  const addUser = createUserInsertion(connection)
  const soon = raw(databaseTime(connection, LOCK_S))
  const address = raw(foldedEmail(connection))

  /** Makes concurrent sign-ups with one address wait for each other: addresses are not unique, so that no index decides. */
  function * lockAddress (email: string): Steps<void> {
    yield * executeStep(connection, sql`
      INSERT INTO spent_id (id_hash, expires_at) VALUES (${hash('sha256', `sign-up ${foldEmail(email)}`, 'base64url')}, ${soon})
      ON CONFLICT (id_hash) DO UPDATE SET expires_at = excluded.expires_at`)
  }

  return {
    async add (user, { idHash, keptUntil, codeHash }) {
      try {
        return await connection.transact(function * () {
          yield * lockAddress(user.email)
          if (!(yield * spendStep(connection, idHash, keptUntil))) throw new NotSignedUp('ended link')
          const isKnown = yield * existsStep(connection, sql`
            SELECT 1 FROM user_account WHERE ${address} = ${foldEmail(user.email)} AND email_verified`)
          if (isKnown) throw new NotSignedUp('known address')
          const code = codeHash === undefined ? null : yield * useCode(connection, codeHash)
          if (code === undefined) throw new NotSignedUp('used code')
          const roles = code === null || code.role === null ? [] : [code.role]
          const added = { ...user, emailVerified: true, demo: false }
          // `null`: the role was removed in the meantime.
          if (!((yield * addUser(added, roles)) ?? (yield * addUser(added, [])))) throw new NotSignedUp('taken name')
          return { codeId: code?.id ?? null }
        })
      } catch (error) {
        if (error instanceof NotSignedUp) return error.why
        throw error
      }
    }
  }
}
