import type { Client } from './client.js'
import { errors } from './errors.js'

/** Whether a client can use the implicit grant. @throws OAuthError `implicitEnded` after its end date */
export function mayUseImplicit (client: Client, now: Date): boolean {
  if (client.implicit === 'off') return false
  if (hasEnded(client, now)) {
    throw errors.implicitEnded(`the implicit grant ended for the client at ${client.implicitUntil?.toISOString()}`, { client: client.id })
  }
  return true
}

/** Whether the implicit grant is off for a client, or its end date has passed. */
export function hasEnded ({ implicit, implicitUntil }: Pick<Client, 'implicit' | 'implicitUntil'>, now: Date): boolean {
  return implicit === 'off' || (implicitUntil !== null && implicitUntil <= now)
}

/** Whether the implicit grant is deprecated for a client. */
export function isImplicitDeprecated ({ implicit }: Pick<Client, 'implicit'>): boolean {
  return implicit === 'warn' || implicit === 'until'
}

/**
 * Header fields that deprecate the implicit grant: `Deprecation` (RFC 9745 §2.1), `Sunset` if the end is known (RFC 8594 §3)
 * and `Link` to the guide (RFC 9745 §3).
 * @param guide address of a page that shows how to leave
 */
export function deprecationOf ({ implicitDeprecatedAt, implicitUntil }: Client, guide: string): Record<string, string> {
  // The deprecation must not be later than the sunset (RFC 9745 §4).
  const since = Math.min(implicitDeprecatedAt?.getTime() ?? 0, implicitUntil?.getTime() ?? Infinity)
  return {
    deprecation: `@${Math.floor(since / 1_000)}`,
    ...(implicitUntil !== null && { sunset: implicitUntil.toUTCString() }),
    link: `<${guide}>; rel="deprecation"; type="text/html"`
  }
}
