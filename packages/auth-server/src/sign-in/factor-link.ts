import { createSealedJwts, MAX_AHEAD_S } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { FACTOR_LINK_TTL, numericDate } from '../lifetimes.js'
import type { Administrator } from '../stores/access/administrators.js'
import type { Stores } from '../stores/stores.js'
import type { FactorLinkUse } from '../stores/users/add-factor.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { VerifiedUser } from '../stores/users/verified-user.js'
import { hashOpaqueToken, randomOpaqueToken } from './opaque-token.js'
import { credentialState } from './password-link.js'

/** An opened link, and its user. */
export interface OpenedFactorLink { readonly user: FoundUser, readonly use: FactorLinkUse }

/**
 * Why a link cannot be used. `expired`: or it was not made here. `changed`: the password was, or access revoked, or the user disabled or
 * removed. `enrolled`: the user has a factor. `used`: before.
 */
export type EndedFactorLink = 'expired' | 'changed' | 'enrolled' | 'used'

/** Links with which users set up a first factor, besides their password. Nothing is stored until one is used. */
export interface FactorLinks {
  /**
   * Issues the secret part of a link, and the digest of its id.
   * @param shownTo see {@link FactorLinkUse}
   */
  issue (
    user: VerifiedUser, shownTo: Administrator | undefined, now: Date
  ): Promise<{ readonly link: string } & Pick<FactorLinkUse, 'idHash'>>
  /** Opens a link. Adding the factor uses it up: see `addFactor`. */
  find (link: string, now: Date): Promise<OpenedFactorLink | EndedFactorLink>
}

type Claims = { sub: string, state: string, id: string, shownTo?: Administrator }

/** Makes {@link FactorLinks}. The previous secret stays valid during a rotation. */
export function createFactorLinks (
  { users, spentIds }: { readonly users: Pick<Stores['users'], 'find'>, readonly spentIds: Pick<Stores['spentIds'], 'has'> },
  secrets: Secrets
): FactorLinks {
  const jwts = createSealedJwts<Claims>(secrets, 'factor links')
  return {
    async issue (user, shownTo, now) {
      const id = randomOpaqueToken()
      const claims = { sub: user.id, state: credentialState(user), id, ...shownTo !== undefined && { shownTo } }
      return { link: await jwts.seal(claims, now), idHash: digestOf(id) }
    },
    async find (link, now) {
      const claims = await jwts.open(link, FACTOR_LINK_TTL, now)
      if (claims === null) return 'expired'
      const { sub, state, id, shownTo } = claims
      const user = await users.find({ id: sub })
      if (user?.disabledAt !== null || credentialState(user) !== state) return 'changed'
      if (user.factors !== null) return 'enrolled'
      const idHash = digestOf(id)
      if (await spentIds.has(idHash)) return 'used'
      const keptUntil = numericDate(now) + FACTOR_LINK_TTL + MAX_AHEAD_S + 1
      return { user, use: { idHash, keptUntil, ...shownTo !== undefined && { shownTo } } }
    }
  }
}

function digestOf (id: string): string {
  return hashOpaqueToken(`factor link ${id}`)
}
