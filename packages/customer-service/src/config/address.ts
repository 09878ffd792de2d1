import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Says whether a host, as in a URL or as an address to listen on, can only be reached from this machine. */
export function isLoopback (host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family === 0 ? address === 'localhost' : loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Says whether the text is an IP address, a network such as `10.0.0.0/8`, or the name of a well-known one. */
export function isNetwork (text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** Reads an `http` or `https` address without user name, query and fragment; `undefined` if it is not one. */
export function parseHttpUrl (text: string): URL | undefined {
  if (!/^https?:\/\/[^\s?#@\\]+$/.test(text) || !URL.canParse(text)) return undefined
  return new URL(text)
}
