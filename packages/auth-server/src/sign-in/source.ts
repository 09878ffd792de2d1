import ipaddr from 'ipaddr.js'

/** Where attempts come from: an IPv4 address, or the /64 of an IPv6 one, which a single household or host has. */
export function sourceOf (address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
