import { isLoopback } from '@frontdesk/service-kit/address'
import { metadataError } from '../oauth/errors.js'

/** Addresses of a client's pages, logo and sector, by their names in the metadata (RFC 7591 §2). */
const LINKS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'sector_identifier_uri'] as const

/** The links of a client. */
type ClientLinks = Partial<Record<typeof LINKS[number], string>>

/** Maximum length of an address, in characters. */
export const MAX_LINK = 2_000

/** @throws OAuthError `registrationRefused` if an address is neither https nor, on a loopback host, http. Skips empty ones. */
export function assertLinks (links: ClientLinks): void {
  for (const name of LINKS) {
    if (links[name] && !isPage(links[name])) {
      throw metadataError(name, 'It must be https, or http on a loopback host, in ASCII, without a user name.')
    }
  }
}

function isPage (uri: string): boolean {
  if (!/^https?:\/\/[!-~]+$/i.test(uri) || !URL.canParse(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  return username + password === '' && (protocol === 'https:' || isLoopback(hostname))
}

/** The links to store; `null`: none. */
export function storedLinks (links: ClientLinks): string | null {
  const named = LINKS.flatMap(name => links[name] ? [[name, links[name]]] : [])
  return named.length === 0 ? null : JSON.stringify(Object.fromEntries(named))
}

/** The stored links. */
export function readLinks (stored: string | null): ClientLinks {
  // as: what `storedLinks` made.
  return stored === null ? {} : JSON.parse(stored) as ClientLinks
}
