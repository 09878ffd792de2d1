import ipaddr from 'ipaddr.js'

/**
 * Where attempts come from: an IPv4 address, or the /64 of an IPv6 one, which a single household or host has. Some
 * proxies write a port too, or `unknown` (RFC 7239 §6): everybody unknown is one source.
 */
export function sourceOf (address: string): string {
  const [, bracketed, dotted] = /^"?(?:\[(.+)\]|([\d.]+))(?::\w+)?"?$/.exec(address) ?? []
  const bare = bracketed ?? dotted ?? address
  if (!ipaddr.isValid(bare)) return 'unknown'
  const parsed = ipaddr.process(bare)
  return parsed.kind() === 'ipv4' ? parsed.toString() : `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
