import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { whyNotLogo } from '../oauth/client-logo.js'
import type { ClientSettings } from '../oauth/client.js'
import { faultOf, type Fault } from '../input/fault.js'
import { reason, type Reason } from '../languages/reason.js'
import { findClientFaults, one, type ClientFault, type Given } from '../registration/client-faults.js'
import { allowedScopeOf, whyNotClientId } from '../registration/client-rules.js'
import { defaults, type ClientEntry } from './client-entry.js'
import { parsePolicy } from './implicit-policy.js'
import { whyNotSubject } from '../registration/sector.js'
import { Refusal } from './refusal.js'

/** A rule that an entry breaks. */
interface EntryFault extends Fault<keyof ClientEntry> {
  /** Index of the value in its list. */
  readonly index?: number
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
    ...findClientFaults(client, schemes, didYouMean).map(fault => fault.index === undefined ? fault : named(fault, client[fault.field])),
    ...one('logo', logo, whyNotLogo),
    ...policyFaults,
    ...callbacks === undefined || sectorIdentifier === undefined
      ? []
      : one('subjectType', subjectType, subjectType => whyNotSubject({ subjectType, sectorIdentifier }, callbacks))
  ]
}

/** Adds the value of a list to its fault. */
function named ({ field, index = 0, reason: why, sentence }: ClientFault, list: unknown): ClientFault {
  const value = quote(String(Object(list)[index]))
  return { ...faultOf(field, reason('reason.of-value', { value, why: why ?? sentence })), index }
}

function whyNotPolicy (policy: string): Reason | null {
  try {
    parsePolicy(policy)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return reason('import.field', { field: 'implicit', why: error.faults[0]?.reason ?? error.message })
  }
}
