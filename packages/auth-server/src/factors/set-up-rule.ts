import { meets, type Acr } from '@frontdesk/schemas/acr'
import { acrOf, MFA_ACR } from '../oauth/acr.js'
import type { FactorStore } from '../stores/users/factors.js'
import type { FactorLinkUse, FactorPermit } from '../stores/users/add-factor.js'
import type { Standing, StandingCheck } from '../stores/users/standing.js'

/**
 * What permits a user to set up a factor, besides the password: a factor that the sign-in used; a code that was mailed to an address; an
 * administrator's link; or nothing, because nothing is required.
 */
export type Proof =
  | { readonly by: 'factor' | 'password' }
  | { readonly by: 'email', readonly address: string }
  | { readonly by: 'link', readonly link: FactorLinkUse }

/** Digest of the id of the link that a proof is; `undefined`: it is another proof. */
export function linkOf (proof: Proof): string | undefined {
  return proof.by === 'link' ? proof.link.idHash : undefined
}

/** What a user still needs: to use a factor, a code that is mailed to them, or an administrator. */
type SetUpNeed = 'factor' | 'code' | 'administrator'

/** Who may set up a factor: a password alone never suffices where a proof is possible. */
export interface SetUpRule {
  /** The proof of a session or sign-in, or what the user still needs. @param amr see `Authentication` */
  begin (userId: string, amr: string): Promise<Proof | SetUpNeed>
  /** Whether a proof still permits it. */
  permits (proof: Proof): FactorPermit
  /**
   * Whether a user can verify an address, which will receive codes, and links that remove a factor.
   * @param isProven whether the link was requested with a factor, or the address replaces a verified one that received a code
   */
  mayVerify (isProven: boolean): StandingCheck
}

interface Options {
  readonly factors: Pick<FactorStore, 'standing'>
  readonly sendsMail: boolean
  /** Minimum `acr` of administrators: the console is one of the apps that can require a factor. */
  readonly adminAcr: Acr | undefined
}

/** Makes {@link SetUpRule}. */
export function createSetUpRule ({ factors, sendsMail, adminAcr }: Options): SetUpRule {
  const isRequired = (standing: Standing) => standing.isRequired || (adminAcr !== undefined && meets(adminAcr, MFA_ACR))

  function needOf (standing: Standing): SetUpNeed | null {
    if (standing.factors !== null) return 'factor'
    if (sendsMail && standing.address !== null) return 'code'
    return isRequired(standing) ? 'administrator' : null
  }

  return {
    async begin (userId, amr) {
      if (meets(acrOf(amr), MFA_ACR)) return { by: 'factor' }
      const standing = await factors.standing(userId)
      return standing === null ? 'administrator' : needOf(standing) ?? { by: 'password' }
    },
    permits: proof => ({
      mayEnroll (standing) {
        switch (proof.by) {
          case 'factor': return true
          case 'email': return standing.factors === null && standing.address === proof.address
          case 'link': return standing.factors === null
          case 'password': return needOf(standing) === null
        }
      },
      ...proof.by === 'link' && { link: proof.link }
    }),
    mayVerify: isProven => standing => isProven || (standing.factors === null && !isRequired(standing))
  }
}
