import type { Config } from '../../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import type { Reached } from './issuer.js'

/** Checks that the server sees the addresses of clients behind a proxy: it counts failed sign-ins by address. */
export function * checkProxy (
  { issuer, trustProxy }: Pick<Config, 'issuer' | 'trustProxy'>,
  reached: Reached | undefined
): Generator<Finding> {
  const { ok, warning, unchecked } = findings('proxy')
  // The server itself speaks plain HTTP.
  const hasProxy = issuer.startsWith('https:')
  if (hasProxy && trustProxy === false) {
    return yield warning(
      'ISSUER is https, so a proxy is in front, but TRUST_PROXY=false: all callers count as one, and a few wrong passwords slow down every sign-in.',
      'Set TRUST_PROXY to the address of the proxy, and let it set X-Forwarded-For.'
    )
  }
  if (trustProxy === false) {
    return yield ok('No proxy is trusted (TRUST_PROXY=false): callers are identified by the addresses they connect from.')
  }
  yield unchecked(
    `Whether ${trustProxy} (TRUST_PROXY) is the proxy in front cannot be checked from here.`,
    reached?.requestId === undefined
      ? 'Send a request to the public address from another machine: its line in the log of auth-server must have the address of that machine as ip.'
      : `In the log of auth-server, the lines with the requestId ${reached.requestId} must have the address of this machine as ip, not that of the proxy.`
  )
}
