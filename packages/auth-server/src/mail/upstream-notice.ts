import type { Notice } from './notices.js'

/** The account at the upstream provider was connected or disconnected. @param provider its name */
export function upstreamChanged (change: 'connected' | 'disconnected', provider: string): Notice {
  return { what: `upstream-${change}`, facts: { key: 'upstream.notice-facts', values: { provider } } }
}
