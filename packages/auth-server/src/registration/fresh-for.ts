import type { IncomingHttpHeaders } from 'node:http'

/** How long what an app publishes is cached, in seconds: as long as its Cache-Control says, within bounds. */
const FRESH = { minimum: 60, usual: 300, maximum: 86_400 }

/** How long what was fetched counts after its cache time while it cannot be fetched again, in milliseconds. */
export const GRACE_MS = 60 * 60_000

/** The shortest time between two fetches of one address, in milliseconds: anyone can send what no key has signed. */
export const REFETCH_MS = 30_000

/** How long a response may be cached, in seconds: without the time that it was in other caches (RFC 9111 §4.2.3, §5.2.2). */
export function freshFor ({ 'cache-control': cacheControl = '', age = '' }: Pick<IncomingHttpHeaders, 'cache-control' | 'age'>): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return FRESH.minimum
  const [, seconds = FRESH.usual] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? []
  const before = /^\d{1,9}$/.test(age) ? Number(age) : 0
  return Math.min(Math.max(Number(seconds) - before, FRESH.minimum), FRESH.maximum)
}
