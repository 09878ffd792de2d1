/** How long what an app publishes is cached, in seconds: as long as its Cache-Control says, within bounds. */
const FRESH = { minimum: 60, usual: 300, maximum: 86_400 }

/** How long what was fetched counts after its cache time while it cannot be fetched again, in milliseconds. */
export const GRACE_MS = 60 * 60_000

/** The shortest time between two fetches of one address, in milliseconds: anyone can send what no key has signed. */
export const REFETCH_MS = 30_000

/** How long a response may be cached, in seconds (RFC 9111 §5.2.2). */
export function freshFor (cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return FRESH.minimum
  const [, seconds = FRESH.usual] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? []
  return Math.min(Math.max(Number(seconds), FRESH.minimum), FRESH.maximum)
}
