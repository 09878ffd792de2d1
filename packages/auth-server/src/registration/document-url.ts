import { whyNotOutgoing } from '@frontdesk/service-kit/outgoing/outgoing'

/** Maximum length of a URL, in characters: it is a key of rows, and in every token. */
const MAX_URL = 500

/** Whether a client_id is a URL. Other ids contain no colon. */
export function isUrl (id: string): boolean {
  return id.startsWith('https://') || id.startsWith('http://')
}

/**
 * Why a URL cannot be the client_id of a metadata document (draft-ietf-oauth-client-id-metadata-document-02 §3), in a sentence;
 * `null` if it can.
 * @param allowPrivateNetworks allows http on loopback, for development
 */
export function whyNotDocumentUrl (id: string, allowPrivateNetworks: boolean): string | null {
  if (id.length > MAX_URL) return `The client_id is longer than ${MAX_URL} characters.`
  const why = whyNotOutgoing(id, allowPrivateNetworks)
  if (why !== null) return `The client_id must be ${why}.`
  // The normal form has no dot segments, no default port and a host in lower case: one document has one client_id.
  if (new URL(id).href !== id) return 'The client_id must be a URL in its normal form.'
  return new URL(id).pathname === '/' ? 'The client_id must be a URL with a path.' : null
}
