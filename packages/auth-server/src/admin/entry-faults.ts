import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { whyNotLogo } from '../oauth/client-logo.js'
import type { ClientSettings } from '../oauth/client.js'
import { findClientFaults, one, type Given } from '../registration/client-faults.js'
import { allowedScopeOf, whyNotClientId } from '../registration/client-rules.js'
import { defaults, type ClientEntry } from './client-entry.js'
import { parsePolicy } from './implicit-policy.js'
import { whyNotSubject } from '../registration/sector.js'

/** A rule that an entry breaks. */
interface EntryFault {
  readonly field: keyof ClientEntry
  /** Index of the value in its list. */
  readonly index?: number
  readonly sentence: string
}

/**
 * Finds the rules that an entry breaks. A missing field has its default; an undefined one is skipped, with all rules that need it.
 * @param schemes private-use ones without a dot that callbacks can have
 */
export function findEntryFaults (given: Given<ClientEntry>, schemes: readonly string[]): EntryFault[] {
  const { clientId, logo, subjectType, disabled: _, implicit, jwks, allowedScope, ...fields } = { ...defaults, ...given }
  const { callbacks, sectorIdentifier } = fields
  const policyFaults = one('implicit', implicit, whyNotPolicy)
  const client: Given<ClientSettings> = {
    ...fields,
    jwks: jwks && JSON.stringify(jwks),
    allowedScope: allowedScope === undefined ? undefined : allowedScopeOf(allowedScope),
    implicit: implicit === undefined || policyFaults.length > 0 ? undefined : parsePolicy(implicit).implicit
  }
  return [
    ...one('clientId', clientId, whyNotClientId),
    ...findClientFaults(client, schemes, didYouMean).map(({ field, index, sentence }) =>
      index === undefined
        ? { field, sentence }
        : { field, index, sentence: `${quote(String(Object(client[field])[index]))}: ${sentence}` }),
    ...one('logo', logo, whyNotLogo),
    ...policyFaults,
    ...callbacks === undefined || sectorIdentifier === undefined
      ? []
      : one('subjectType', subjectType, subjectType => whyNotSubject({ subjectType, sectorIdentifier }, callbacks))
  ]
}

function whyNotPolicy (policy: string): string | null {
  try {
    parsePolicy(policy)
    return null
  } catch (error) {
    return `implicit: ${error instanceof Error ? error.message : error}`
  }
}
