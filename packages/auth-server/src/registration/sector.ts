import { isLoopback } from '@frontdesk/service-kit/address'
import { metadataError } from '../oauth/errors.js'
import { OWN_SECTOR } from '../oauth/subject.js'
import { reason, type Reason } from '../languages/reason.js'

/** The subject type of a client, as written. A pairwise one can omit the sector. */
export interface WrittenSubject {
  /** Whether the client sees the common `sub` of a user, or that of its sector (OpenID Connect Core §8). */
  readonly subjectType: 'public' | 'pairwise'
  readonly sectorIdentifier: string | null
}

/** The sector of a client: as written or, for a pairwise one, the only host of its callbacks; `null`: none. */
export function sectorOf ({ subjectType, sectorIdentifier }: WrittenSubject, callbacks: readonly string[]): string | null {
  if (subjectType === 'public') return null
  const [host, ...others] = hostsOf(callbacks)
  return sectorIdentifier ?? (others.length === 0 ? host ?? null : null)
}

/** Why a client cannot have this subject type; `null` if it can. */
export function whyNotSubject (written: WrittenSubject, callbacks: readonly string[]): Reason | null {
  const { subjectType, sectorIdentifier: sector } = written
  if (subjectType === 'public') return sector === null ? null : reason('reason.sector-pairwise')
  if (sector !== null && !/^(self:)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(sector)) {
    return reason('reason.sector-form')
  }
  return sectorOf(written, callbacks) === null ? reason('reason.sector-needed', { count: hostsOf(callbacks).length }) : null
}

/**
 * The sector of a client that registers itself for pairwise subjects (OpenID Connect Core §8.1): the host of its callbacks.
 * @param uri its `sector_identifier_uri`, whose host is used instead: the document there lists its callbacks
 * @throws OAuthError `registrationRefused` if they have several, or one that many clients share
 */
export function ownSector (callbacks: readonly string[], uri = ''): string {
  if (uri !== '') return `${OWN_SECTOR}${new URL(uri).hostname}`
  const hosts = new Set(callbacks.map(uri => URL.canParse(uri) && uri.startsWith('https:') ? new URL(uri).hostname : ''))
  const [host = ''] = hosts
  if (hosts.size === 1 && host !== '' && !isLoopback(host)) return `${OWN_SECTOR}${host}`
  throw metadataError(
    'subject_type',
    'A client with pairwise subjects needs callbacks that are https and have one host, which is not loopback, or a sector_identifier_uri.'
  )
}

/** The hosts of callbacks; those of private-use schemes have none. */
function hostsOf (callbacks: readonly string[]): string[] {
  return [...new Set(callbacks.map(uri => URL.canParse(uri) ? new URL(uri).hostname : ''))].filter(host => host !== '')
}
