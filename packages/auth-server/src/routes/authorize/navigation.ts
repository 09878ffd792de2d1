import type { FastifyRequest } from 'fastify'

/** Headers that mark a prefetch or prerender. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/**
 * Whether the request is a top-level navigation, not a prefetch, a frame or a script (Fetch Metadata §2.1). Browsers without these
 * headers send no cookies in third-party frames.
 */
export function isNavigation ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const isAhead = AHEAD.some(name => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
  return method === 'GET' && !isAhead && (headers['sec-fetch-dest'] ?? 'document') === 'document'
}
