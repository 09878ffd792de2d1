import { hash } from 'node:crypto'

/**
 * The `sid` of a session for a client (OpenID Connect Back-Channel Logout §2.1). It differs for each client, so that clients with
 * pairwise subjects cannot correlate their users.
 * @param sid the browser session's, or the device's
 */
export function sessionIdFor (clientId: string, sid: string): string {
  return hash('sha256', `${sid} ${clientId}`, 'base64url')
}
