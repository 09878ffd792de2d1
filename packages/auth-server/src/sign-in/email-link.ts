import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { EMAIL_LINK_TTL } from '../lifetimes.js'
import type { Profiles, UserProfile } from '../stores/users/profiles.js'

/** A user with an email address. */
type Addressed = Pick<UserProfile, 'id'> & { readonly email: string }

/** Links that verify the email address that receives them. Nothing is stored: a link contains the address. */
export interface EmailLinks {
  /** Issues the secret part of a link. @param isProven see `SetUpRule.mayVerify` */
  issue (user: Addressed, isProven: boolean, now: Date): Promise<string>
  /** Opens a link; `null` if it has expired or was not made here, or the user is disabled, removed or has another address. */
  find (link: string, now: Date): Promise<UserProfile & Addressed & { readonly isProven: boolean } | null>
}

/** Makes {@link EmailLinks}. The previous secret stays valid during a rotation. */
export function createEmailLinks (profiles: Pick<Profiles, 'find'>, secrets: Secrets): EmailLinks {
  const jwts = createSealedJwts<{ sub: string, email: string, isProven: boolean }>(secrets, 'email links')
  return {
    issue: async ({ id: sub, email }, isProven, now) => await jwts.seal({ sub, email, isProven }, now),
    async find (link, now) {
      const claims = await jwts.open(link, EMAIL_LINK_TTL, now)
      const profile = claims === null ? null : await profiles.find(claims.sub)
      return profile === null || claims?.email !== profile.email ? null : { ...profile, email: claims.email, isProven: claims.isProven }
    }
  }
}
