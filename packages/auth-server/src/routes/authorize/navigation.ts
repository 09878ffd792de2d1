import type { FastifyRequest } from 'fastify'

/** Header fields by which browsers mark a prefetch or prerender. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/**
 * Whether the request is a top-level navigation: no prefetch, no frame, no script (Fetch Metadata §2.1). Browsers too old for
 * these headers send no cookies into third-party frames either.
 */
export function isNavigation ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const isAhead = AHEAD.some(name => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
  return method === 'GET' && !isAhead && (headers['sec-fetch-dest'] ?? 'document') === 'document'
}
