/** How long what an app publishes is cached, in seconds: as long as its Cache-Control says, within bounds. */
const FRESH = { minimum: 60, usual: 300, maximum: 86_400 }

/** How long an answer may be cached, in seconds (RFC 9111 §5.2.2). */
export function freshFor (cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return FRESH.minimum
  const [, seconds = FRESH.usual] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? []
  return Math.min(Math.max(Number(seconds), FRESH.minimum), FRESH.maximum)
}
