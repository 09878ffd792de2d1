/** 256 bits in base64url. */
const OPAQUE = /^[\w-]{43}$/

/** The names and the attributes of the cookies of a server. */
export function cookiesOf (address: string) {
  const { protocol, port, pathname } = new URL(address)
  const secure = protocol === 'https:'
  // Cookies ignore ports, and `__Host-` needs Path=/: without these suffixes, two servers on one host would share them.
  const suffix = pathname.replace(/\/$/, '').replaceAll('/', '+')
  return {
    name: (of: string) => secure ? `__Host-${of}${suffix}` : `${of}-${port}${suffix}`,
    attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  }
}

/** Whether browsers send the cookies of one server to the other, too: they ignore ports. */
export function shareCookies (address: string, other: string): boolean {
  const [a, b] = [new URL(address), new URL(other)]
  return a.protocol === b.protocol && a.hostname === b.hostname
}

/** The value of a cookie that is an opaque token; `undefined` without one. */
export function readOpaqueCookie (
  request: { readonly cookies: Readonly<Record<string, string | undefined>> }, name: string
): string | undefined {
  const value = request.cookies[name]
  return value !== undefined && OPAQUE.test(value) ? value : undefined
}
