import { ACRS, meets, type Acr } from '@frontdesk/schemas/acr'
import { PASSWORD_ACR, reachableAcr } from './acr.js'

/** The levels that a request accepts. */
export interface RequestedAcrs {
  /** Known levels, in order of preference; none: any. */
  readonly acrs: readonly Acr[]
  /** Whether a sign-in without one of them fails: an essential `acr` in `claims` (OpenID Connect Core §5.5.1.1). */
  readonly isAcrEssential: boolean
}

/** A request that accepts any level. */
export const ANY_ACR: RequestedAcrs = { acrs: [], isAcrEssential: false }

/** The known levels of a list, each once. */
export function knownAcrs (values: readonly string[]): Acr[] {
  return [...new Set(values)].flatMap(value => ACRS.find(acr => acr === value) ?? [])
}

/**
 * The level that a user must reach for a request: the first one that they can reach. If they can reach none, `acr_values` has no effect
 * (§3.1.2.1), and an essential `acr` is not met. @param factors see `reachableAcr`
 */
export function requestedAcr ({ acrs, isAcrEssential }: RequestedAcrs, factors: string | null): Acr {
  const reachable = reachableAcr(factors)
  return acrs.find(acr => meets(reachable, acr)) ?? (isAcrEssential ? acrs[0] : undefined) ?? PASSWORD_ACR
}
