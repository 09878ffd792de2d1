import type { Connection } from '@frontdesk/database/connection'
import { spendStep } from '../operation/spent-ids.js'
import { lockAddress } from './lock-address.js'
import { createUserInsertion, type NewUser } from './user-insertion.js'
import { useCode } from './sign-up-codes.js'

/** The emailed link with which a user signs up. */
interface UsedLink {
  /** Identifies the link, which works once. */
  readonly idHash: string
  /** Until when its use is stored. */
  readonly keptUntil: Date
  /** Hash of the invitation code; `undefined`: the link has none. */
  readonly codeHash: string | undefined
  /** Whether a code without uses left refuses the user. If not, the user only does not get its role. */
  readonly needsCode: boolean
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

class NotSignedUp extends Error {
  readonly why: WhyNotSignedUp

  constructor (why: WhyNotSignedUp) {
    super(why)
    this.why = why
  }
}

export function openSignUps (connection: Connection): SignUps {
  const addUser = createUserInsertion(connection)

  return {
    async add (user, { idHash, keptUntil, codeHash, needsCode }) {
      try {
        return await connection.transact(function * () {
          const isKnown = yield * lockAddress(connection, user.email)
          if (!(yield * spendStep(connection, idHash, keptUntil))) throw new NotSignedUp('ended link')
          if (isKnown) throw new NotSignedUp('known address')
          const code = codeHash === undefined ? undefined : yield * useCode(connection, codeHash)
          if (needsCode && code === undefined) throw new NotSignedUp('used code')
          const roles = code?.role ? [code.role] : []
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
