import ipaddr from 'ipaddr.js'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { OutgoingError } from './outgoing-error.js'

/** Names in ipaddr.js of private networks (RFC 6890). */
const PRIVATE = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']
/** IPv6 addresses that IANA has assigned as global unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether connections to an address are allowed. */
export type AddressRule = (address: string) => boolean

/**
 * Accepts public addresses, and private ones if allowed. Always rejects link-local addresses, where clouds serve metadata, and
 * other special ranges.
 */
export function addressRule (allowPrivateNetworks: boolean): AddressRule {
  return address => {
    const range = findRange(address)
    return range === 'unicast' || (allowPrivateNetworks && PRIVATE.includes(range))
  }
}

/** Accepts 127.0.0.0/8 and ::1. */
export const onlyLoopback: AddressRule = address => findRange(address) === 'loopback'

/** `unicast` for public addresses. An embedded IPv4 address (RFC 4291 §2.5.5.2, RFC 6052 §2.1) counts by itself. */
function findRange (address: string): string {
  if (!ipaddr.isValid(address)) return 'invalid'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range()
  const range = parsed.range()
  if (range === 'rfc6052' && parsed.match(ipaddr.IPv6.parseCIDR('64:ff9b::/96'))) {
    return new ipaddr.IPv4(parsed.toByteArray().slice(12)).range()
  }
  return range === 'unicast' && !parsed.match(GLOBAL_UNICAST) ? 'reserved' : range
}

/** DNS, like `dns.lookup` with `all`. */
export type Resolve = (
  host: string, options: { all: true }, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

/**
 * A lookup for `net.connect` that returns only accepted addresses.
 * @param host for the sentence of the error
 */
export function guardedLookup (host: string, accepts: AddressRule, resolve: Resolve): LookupFunction {
  return (name, options, callback) => resolve(name, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [])
    const [first, ...others] = addresses.filter(({ address }) => accepts(address))
    if (first === undefined) return callback(new OutgoingError('address', host), [])
    if (options.all === true) return callback(null, [first, ...others])
    callback(null, first.address, first.family)
  })
}
