import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a host is this machine: `localhost` and the names below it (RFC 6761 §6.3), 127.0.0.0/8 and ::1.
 * @param host as in a URL, or as an address to listen on
 */
export function isLoopback (host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const family = isIP(address)
  return family === 0 ? /^(.+\.)?localhost$/i.test(address) : loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether requests to a URL could be read in transit: it is `http`, and not on this machine. */
export function isRemoteHttp (text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !isLoopback(hostname)
}

/** Whether a text is an IP address, a network such as `10.0.0.0/8`, or the name of a well-known network. */
export function isNetwork (text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** Parses an `http` or `https` URL without user name, query and fragment; `undefined` if it is not one. */
export function parseHttpUrl (text: string): URL | undefined {
  if (!/^https?:\/\/[^\s?#@\\]+$/.test(text) || !URL.canParse(text)) return undefined
  return new URL(text)
}
