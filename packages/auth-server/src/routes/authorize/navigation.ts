import type { FastifyRequest } from 'fastify'

/** Where browsers say that they ask before anybody has pressed anything, in their several ways. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/**
 * Whether a person's browser goes to this address: not ahead of time, not in a frame and not for a script (Fetch Metadata
 * §2.1). A browser too old to say so sends no cookie into frames of others either.
 */
export function isNavigation ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const isAhead = AHEAD.some(name => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
  return method === 'GET' && !isAhead && (headers['sec-fetch-dest'] ?? 'document') === 'document'
}
