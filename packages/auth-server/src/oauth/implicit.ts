import type { Client } from './client.js'
import { oauthError } from './errors.js'

/** Whether a client may use the implicit grant. @throws OAuthError `implicitEnded` if it might until a time that has come */
export function mayUseImplicit (client: Client, now: Date): boolean {
  if (client.implicit === 'off') return false
  if (hasEnded(client, now)) throw oauthError('implicitEnded', `the implicit grant ended for the client at ${client.implicitUntil?.toISOString()}`, { client: client.id })
  return true
}

/** Whether the implicit grant is off for a client, or its day has come. */
export function hasEnded ({ implicit, implicitUntil }: Pick<Client, 'implicit' | 'implicitUntil'>, now: Date): boolean {
  return implicit === 'off' || (implicitUntil !== null && implicitUntil <= now)
}

/** Whether a client is asked to leave the implicit grant. */
export function isLeaving ({ implicit }: Pick<Client, 'implicit'>): boolean {
  return implicit === 'warn' || implicit === 'until'
}

/**
 * Header fields that tell a client to leave the implicit grant: since when (RFC 9745 §2.1), by when if that is known
 * (RFC 8594 §3), and how (RFC 9745 §3).
 * @param guide address of a page that says how
 */
export function deprecationOf ({ implicitDeprecatedAt, implicitUntil }: Client, guide: string): Record<string, string> {
  // Nothing may be deprecated later than it ends (RFC 9745 §4).
  const since = Math.min(implicitDeprecatedAt?.getTime() ?? 0, implicitUntil?.getTime() ?? Infinity)
  return {
    deprecation: `@${Math.floor(since / 1_000)}`,
    ...(implicitUntil !== null && { sunset: implicitUntil.toUTCString() }),
    link: `<${guide}>; rel="deprecation"; type="text/html"`
  }
}
