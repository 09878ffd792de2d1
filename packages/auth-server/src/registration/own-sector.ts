import { isLoopback } from '@frontdesk/service-kit/address'
import { metadataError } from '../oauth/errors.js'
import { OWN_SECTOR } from '../oauth/subject.js'

/**
 * The sector of an app that registers itself for pairwise subjects (OpenID Connect Core §8.1): the host of its callbacks.
 * @throws OAuthError `registrationRefused` if they have several, or one that many apps share
 */
export function ownSector (callbacks: readonly string[]): string {
  const hosts = new Set(callbacks.map(uri => URL.canParse(uri) && uri.startsWith('https:') ? new URL(uri).hostname : ''))
  const [host = ''] = hosts
  if (hosts.size === 1 && host !== '' && !isLoopback(host)) return `${OWN_SECTOR}${host}`
  throw metadataError('subject_type: An app with pairwise subjects needs callbacks that are https and have one host, which is not loopback.')
}
