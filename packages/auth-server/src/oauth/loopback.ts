/** A callback on loopback (RFC 8252 §7.3, RFC 9700 §2.1): its port, and what is left without it. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9]\d{0,4}))?((?:[/?].*)?)$/s

/** Whether two callbacks on loopback differ in nothing but the port: a native app listens where the system lets it. */
export function differInPort (requested: string, registered: string): boolean {
  const [one, other] = [LOOPBACK.exec(requested), LOOPBACK.exec(registered)]
  if (one === null || other === null) return false
  return Number(one[2] ?? 80) <= 65_535 && one[1] === other[1] && one[3] === other[3]
}

/** An origin on loopback without its port; `undefined` if it is elsewhere. */
export function loopbackHost (origin: string): string | undefined {
  return LOOPBACK.exec(origin)?.[1]
}
