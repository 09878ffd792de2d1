/** Hosts of loopback callbacks: those of RFC 8252 §7.3, not all of 127.0.0.0/8. */
const HOST = 'localhost|127\\.0\\.0\\.1|\\[::1\\]'
const ONLY_HOST = new RegExp(`^(${HOST})$`)

/** A loopback callback: scheme and host, the port, and the rest. */
const LOOPBACK = new RegExp(`^(http://(?:${HOST}))(?::([1-9]\\d{0,4}))?((?:[/?].*)?)$`, 's')

/** Whether callbacks with this host may be plain http. */
export function isLoopbackCallbackHost (host: string): boolean {
  return ONLY_HOST.test(host)
}

/** Whether two loopback callbacks differ in nothing but the port: a native app listens on any free one. */
export function differInPort (requested: string, registered: string): boolean {
  const [one, other] = [LOOPBACK.exec(requested), LOOPBACK.exec(registered)]
  if (one === null || other === null) return false
  return Number(one[2] ?? 80) <= 65_535 && one[1] === other[1] && one[3] === other[3]
}

/** A loopback origin without its port; `undefined` for other origins. */
export function loopbackHost (origin: string): string | undefined {
  return LOOPBACK.exec(origin)?.[1]
}
