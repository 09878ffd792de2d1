import ipaddr from 'ipaddr.js'

/** IPv6 prefix lengths of households, customers and sites (RFC 6177, RIPE-690), narrowest first. */
const PREFIXES = [64, 56, 48]

/**
 * The sources of an address, narrowest first: an IPv4 address, or the /64, /56 and /48 of an IPv6 address. Some proxies add
 * a port, or write `unknown` (RFC 7239 §6): all unknown addresses are one source.
 */
export function sourcesOf (address: string): readonly [string, ...string[]] {
  const [, bracketed, dotted] = /^"?(?:\[(.+)\]|([\d.]+))(?::\w+)?"?$/.exec(address) ?? []
  const bare = bracketed ?? dotted ?? address
  if (!ipaddr.isValid(bare)) return ['unknown']
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return [parsed.toString()]
  const groups = parsed.toNormalizedString().split(':').slice(0, 4).map(group => parseInt(group, 16))
  const [narrowest = '', ...wider] = PREFIXES.map(bits => `${mask(groups, bits)}::/${bits}`)
  return [narrowest, ...wider]
}

/** The narrowest source, as the audit trail records it. */
export function sourceOf (address: string): string {
  return sourcesOf(address)[0]
}

/** The first groups of 16 bits of an address, without the bits after the prefix. */
function mask (groups: number[], bits: number): string {
  return groups.slice(0, Math.ceil(bits / 16))
    .map((group, i) => (group & (0xffff << Math.max(0, (i + 1) * 16 - bits))).toString(16)).join(':')
}
