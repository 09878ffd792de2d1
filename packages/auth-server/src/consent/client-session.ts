import { after, SESSION_TTL } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { isConsole } from '../oauth/console-client.js'
import { asksForIdToken, mayRefresh } from '../oauth/openid-scopes.js'
import type { ClientSessions, NewClientSession } from '../stores/sessions/client-sessions.js'
import type { Session } from '../stores/sessions/session-list.js'

/** Whether a client receives logout tokens for a request: it is registered for them, and gets an ID token. */
export function getsLogoutTokens (
  { client, scope }: { readonly client: Pick<Client, 'backchannelLogoutUri'>, readonly scope: readonly string[] }
): boolean {
  return client.backchannelLogoutUri !== null && asksForIdToken(scope)
}

/** Whether the access that a request gives ends with the browser session. Its code then names the session, which must exist first. */
export function endsWithSession ({ client, ...request }: { readonly client: Client, readonly scope: readonly string[] }): boolean {
  return isConsole(client) || getsLogoutTokens({ client, ...request })
}

/** Records client sessions that receive logout tokens (OpenID Connect Back-Channel Logout). */
export interface ClientSessionStart {
  /** For a browser session. Returns `false` if it has ended. @param epoch the grant's */
  inBrowser (client: Client, session: Pick<Session, 'id' | 'sid'>, epoch: number, now: Date): Promise<boolean>
  /** For a device. Returns `false` if the user was disabled or removed. @param grant the device's; its id is the `sid` */
  onDevice (client: Client, grant: { readonly id: string, readonly userId: string, readonly epoch: number }, now: Date): Promise<boolean>
}

/** @param refreshTokenTtl lifetime of a family of refresh tokens, in seconds */
export function createClientSessionStart (
  clientSessions: Pick<ClientSessions, 'begin' | 'beginOnDevice'>, { refreshTokenTtl }: { refreshTokenTtl: number }
): ClientSessionStart {
  // A client keeps its session as long as the browser does, or as long as it can refresh its ID token.
  const newSession = (client: Client, epoch: number, now: Date): NewClientSession => {
    const seconds = mayRefresh(client) ? Math.max(SESSION_TTL, refreshTokenTtl) : SESSION_TTL
    return { clientId: client.id, epoch, endsAt: after(now, seconds) }
  }
  return {
    inBrowser: (client, session, epoch, now) => clientSessions.begin(session, newSession(client, epoch, now)),
    onDevice: (client, { id, userId, epoch }, now) => clientSessions.beginOnDevice(id, userId, newSession(client, epoch, now))
  }
}
