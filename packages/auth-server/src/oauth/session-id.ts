import { hash } from 'node:crypto'

/**
 * The `sid` that a client sees of a session (OpenID Connect Back-Channel Logout §2.1): another one for each client, so that clients
 * with pairwise subjects cannot connect their users by it.
 * @param sid of the browser session, or of the device
 */
export function sessionIdFor (clientId: string, sid: string): string {
  return hash('sha256', `${sid} ${clientId}`, 'base64url')
}
