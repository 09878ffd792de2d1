import { isLoopback } from '@frontdesk/service-kit/address'
import type { Client } from './client.js'

/**
 * Whether a code that goes to this callback is of use to nobody but the client, so that a request which repeats another
 * is known to be its own (RFC 6749 §10.2, RFC 8252 §8.6): the client has to authenticate to exchange the code, or the
 * callback is an https address of another machine: on loopback, any program may answer, with TLS or without.
 */
export function provesIdentity ({ tokenEndpointAuthMethod }: Pick<Client, 'tokenEndpointAuthMethod'>, redirectUri: string): boolean {
  if (tokenEndpointAuthMethod !== 'none') return true
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'https:' && !isLoopback(hostname)
}
