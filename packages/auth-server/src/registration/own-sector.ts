import { isLoopback } from '@frontdesk/service-kit/address'
import { metadataError } from '../oauth/errors.js'
import { OWN_SECTOR } from '../oauth/subject.js'

/**
 * The sector of an app that registers itself for pairwise subjects (OpenID Connect Core §8.1): the host of its callbacks.
 * @param uri its `sector_identifier_uri`, whose host counts instead: the document there lists its callbacks
 * @throws OAuthError `registrationRefused` if they have several, or one that many apps share
 */
export function ownSector (callbacks: readonly string[], uri = ''): string {
  if (uri !== '') return `${OWN_SECTOR}${new URL(uri).hostname}`
  const hosts = new Set(callbacks.map(uri => URL.canParse(uri) && uri.startsWith('https:') ? new URL(uri).hostname : ''))
  const [host = ''] = hosts
  if (hosts.size === 1 && host !== '' && !isLoopback(host)) return `${OWN_SECTOR}${host}`
  throw metadataError('subject_type: An app with pairwise subjects needs callbacks that are https and have one host, which is not loopback, or a sector_identifier_uri.')
}
