import { whyNotOutgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { reason, type Reason } from '../languages/reason.js'
import { outgoingRule } from './outgoing-rule.js'

/** Maximum length of a URL, in characters: it is a key of rows, and in every token. */
const MAX_URL = 500

/** Whether a client_id is a URL. Other ids contain no colon. */
export function isUrl (id: string): boolean {
  return id.startsWith('https://') || id.startsWith('http://')
}

/**
 * Why a URL cannot be the client_id of a metadata document (draft-ietf-oauth-client-id-metadata-document-02 §3),
 * `null` if it can.
 * @param allowPrivateNetworks allows http on loopback, for development
 */
export function whyNotDocumentUrl (id: string, allowPrivateNetworks: boolean): Reason | null {
  if (id.length > MAX_URL) return reason('reason.client-id-long', { longest: MAX_URL })
  const why = whyNotOutgoing(id, allowPrivateNetworks)
  if (why !== null) return reason('reason.client-id-url', { rule: outgoingRule(why) })
  // The normal form has no dot segments, no default port and a host in lower case: one document has one client_id.
  if (new URL(id).href !== id) return reason('reason.client-id-normal')
  return new URL(id).pathname === '/' ? reason('reason.client-id-path') : null
}
