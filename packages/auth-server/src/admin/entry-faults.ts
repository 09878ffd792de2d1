import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { whyNotLogo } from '../oauth/client-logo.js'
import type { ClientSettings } from '../oauth/client.js'
import { findClientFaults } from '../registration/client-faults.js'
import { allowedScopeOf, whyNotClientId } from '../registration/client-rules.js'
import { defaults, type ClientEntry } from './client-entry.js'
import { parsePolicy } from './implicit-policy.js'
import { whyNotSubject } from '../registration/sector.js'

/** A rule that an entry breaks. */
interface EntryFault {
  readonly field: keyof ClientEntry
  /** Of the value, in a list. */
  readonly index?: number
  readonly sentence: string
}

/** Fields that are checked together: next to an invalid one, the others would be reported as contradictions. */
export const JOINT = ['grantTypes', 'tokenEndpointAuthMethod', 'pkce', 'jwks', 'jwksUri', 'profile', 'callbacks'] as const

/**
 * Finds the rules that an entry breaks. A field without a default is not checked if it is missing.
 * @param schemes private-use ones without a dot that callbacks may have
 * @param isWhole without it, the fields of {@link JOINT} are not checked with each other
 */
export function findEntryFaults (given: Partial<ClientEntry>, schemes: readonly string[], isWhole = true): EntryFault[] {
  const { clientId, logo, subjectType, disabled: _, implicit, jwks, jwksUri, allowedScope, ...fields } = { ...defaults, ...given }
  const policyFault = whyNotPolicy(implicit)
  const client: Partial<ClientSettings> = {
    ...fields,
    jwksUri,
    jwks: jwks === null ? null : JSON.stringify(jwks),
    allowedScope: allowedScopeOf(allowedScope),
    ...policyFault === null && { implicit: parsePolicy(implicit).implicit }
  }
  const { grantTypes, ...others } = client
  const faults = findClientFaults(isWhole ? client : others, schemes, didYouMean)
  const subject = { subjectType, sectorIdentifier: fields.sectorIdentifier }
  return [
    ...fault('clientId', clientId === undefined ? null : whyNotClientId(clientId)),
    ...faults.map(({ field, index, sentence }) =>
      index === undefined ? { field, sentence } : { field, index, sentence: `${quote(valueAt(client[field], index))}: ${sentence}` }),
    ...fault('logo', logo === null ? null : whyNotLogo(logo)),
    ...fault('implicit', policyFault),
    ...fault('subjectType', whyNotSubject(subject, fields.callbacks))
  ]
}

function fault (field: EntryFault['field'], sentence: string | null): EntryFault[] {
  return sentence === null ? [] : [{ field, sentence }]
}

function valueAt (list: unknown, index: number): string {
  return Array.isArray(list) ? String(list[index]) : ''
}

function whyNotPolicy (policy: string): string | null {
  try {
    parsePolicy(policy)
    return null
  } catch (error) {
    return `implicit: ${error instanceof Error ? error.message : error}`
  }
}
