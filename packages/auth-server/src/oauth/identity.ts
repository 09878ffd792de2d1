import { isLoopback } from '@frontdesk/service-kit/address'
import type { Client } from './client.js'

const REGISTRARS = ['operator', 'token', 'open', 'document'] as const

/** Who registered a client. Fails closed: an unknown value means that the client is unverified. */
export function registrarOf (text: string): Client['registeredBy'] {
  return REGISTRARS.find(it => it === text) ?? 'open'
}

/** Whether a client registered itself, so that its name and callbacks are unverified. */
export function isSelfRegistered ({ registeredBy }: Pick<Client, 'registeredBy'>): boolean {
  return registeredBy !== 'operator'
}

/** Whether a client is an app of the installation. Nothing that registered itself is one. */
export function isOwn ({ own, registeredBy }: Pick<Client, 'own' | 'registeredBy'>): boolean {
  return own && !isSelfRegistered({ registeredBy })
}

/**
 * Whether consent is required. In a browser, users only sign in to an app of the installation; devices always require consent, since
 * anyone can send someone else a code.
 * @param redirectUri callback of a browser
 */
export function asksForConsent (client: Pick<Client, 'own' | 'registeredBy'>, redirectUri: string | undefined): boolean {
  return redirectUri === undefined || !isOwn(client)
}

/** The label of a client in metrics. Self-registered clients share one, since the operator does not control their number. */
export function metricLabel ({ id, registeredBy }: Pick<Client, 'id' | 'registeredBy'>): string {
  return isSelfRegistered({ registeredBy }) ? 'self-registered' : id
}

/**
 * Whether only the client itself can use a code for this callback, so that a repeated request needs no new consent (RFC 6749
 * §10.2, RFC 8252 §8.6): the client must authenticate to exchange the code, or the callback is an https address of another
 * machine. On loopback, any program can receive the response, with TLS or without, unless the server trusts its own machine. A
 * self-registered client proves nothing: any client can register that name.
 * @param trustsLoopback whether programs on loopback are the developer's own
 */
export function provesIdentity (
  { registeredBy, tokenEndpointAuthMethod }: Pick<Client, 'registeredBy' | 'tokenEndpointAuthMethod'>,
  redirectUri: string,
  trustsLoopback = false
): boolean {
  if (isSelfRegistered({ registeredBy })) return false
  if (tokenEndpointAuthMethod !== 'none') return true
  const { protocol, hostname } = new URL(redirectUri)
  return isLoopback(hostname) ? trustsLoopback : protocol === 'https:'
}
