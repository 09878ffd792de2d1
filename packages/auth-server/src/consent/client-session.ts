import { SESSION_TTL } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { asksForIdToken, mayRefresh } from '../oauth/openid-scopes.js'
import type { ClientSessions, NewClientSession } from '../stores/sessions/client-sessions.js'
import type { Session } from '../stores/sessions/session-list.js'

/** Whether an app gets logout tokens for a request: it is registered for them, and gets an ID token. */
export function getsLogoutTokens (
  { client, scope }: { readonly client: Pick<Client, 'backchannelLogoutUri'>, readonly scope: readonly string[] }
): boolean {
  return client.backchannelLogoutUri !== null && asksForIdToken(scope)
}

/** Records sessions at apps that get logout tokens (OpenID Connect Back-Channel Logout). */
export interface ClientSessionStart {
  /** Of a browser session. Returns `false` if it has ended. @param epoch of the grant */
  inBrowser (client: Client, session: Pick<Session, 'id' | 'sid'>, epoch: number, now: Date): Promise<boolean>
  /** Of a device. Returns `false` if the user was disabled or removed. @param grant of the device; its id is the `sid` */
  onDevice (client: Client, grant: { readonly id: string, readonly userId: string, readonly epoch: number }, now: Date): Promise<boolean>
}

/** @param refreshTokenTtl lifetime of a family of refresh tokens, in seconds */
export function createClientSessionStart (
  clientSessions: Pick<ClientSessions, 'begin' | 'beginOnDevice'>, { refreshTokenTtl }: { refreshTokenTtl: number }
): ClientSessionStart {
  // An app keeps its own session for as long as that of the browser, or for as long as it refreshes its ID token.
  const sessionOf = (client: Client, epoch: number, now: Date): NewClientSession => {
    const seconds = mayRefresh(client) ? Math.max(SESSION_TTL, refreshTokenTtl) : SESSION_TTL
    return { clientId: client.id, epoch, endsAt: new Date(now.getTime() + seconds * 1_000) }
  }
  return {
    inBrowser: (client, session, epoch, now) => clientSessions.begin(session, sessionOf(client, epoch, now)),
    onDevice: (client, { id, userId, epoch }, now) => clientSessions.beginOnDevice(id, userId, sessionOf(client, epoch, now))
  }
}
