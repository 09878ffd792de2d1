import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { after, numericDate, SIGN_UP_LINK_TTL } from '../lifetimes.js'
import { hashOpaqueToken, randomOpaqueToken } from './opaque-token.js'

/** Someone who wants to sign up. */
export interface SignUp {
  /** The address that receives the link. */
  readonly email: string
  /** Hash of the cookie of the browser that requested the link. */
  readonly browserHash: string
  /** Hash of the invitation code; `undefined`: none was needed. */
  readonly codeHash?: string
  /** The authorization request to resume afterwards, as a query string. */
  readonly request?: string
}

/** An opened link. */
export interface OpenedSignUp extends SignUp {
  /** Identifies the link, which works once. */
  readonly idHash: string
  /** Until when its use must be stored. */
  readonly keptUntil: Date
}

/** Links in emails that prove an address, with which people sign up. Nothing is stored until a link is used. */
export interface SignUpLinks {
  /** Issues the secret part of a link. */
  issue (signUp: SignUp, now: Date): Promise<string>
  /** Opens a link; `null` if it has expired or was not made here. Whether it was used is not checked. */
  open (link: string, now: Date): Promise<OpenedSignUp | null>
}

/** Makes {@link SignUpLinks}. The previous secret stays valid during a rotation. */
export function createSignUpLinks (secrets: Secrets): SignUpLinks {
  const jwts = createSealedJwts<{ id: string, at: number } & Pick<SignUp, keyof SignUp>>(secrets, 'sign-up links')
  return {
    issue: async (signUp, now) => await jwts.seal({ id: randomOpaqueToken(), at: numericDate(now), ...signUp }, now),
    async open (link, now) {
      const claims = await jwts.open(link, SIGN_UP_LINK_TTL, now)
      if (claims === null) return null
      const { id, at, ...signUp } = claims
      // Stored for longer than it works: clocks of replicas differ.
      return { ...signUp, idHash: hashOpaqueToken(`sign-up ${id}`), keptUntil: after(new Date(at * 1_000), 2 * SIGN_UP_LINK_TTL) }
    }
  }
}
