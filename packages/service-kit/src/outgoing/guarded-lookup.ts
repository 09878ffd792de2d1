import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { AddressRule } from './address-rule.js'
import { OutgoingError } from './outgoing-error.js'

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
