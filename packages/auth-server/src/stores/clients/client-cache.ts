import { LRUCache } from 'lru-cache'
import type { Client } from '../../oauth/client.js'
import type { Clients } from './clients.js'

/** How long a client stays cached, in milliseconds. After that, every replica knows a change. */
const TTL_MS = 2_000

const MAX_CACHED_CLIENTS = 1_000

/**
 * Caches clients in memory (LRU, single-flight): `find` reads a client from the database at most every two seconds. `forget` empties
 * the cache, so that a change takes effect at once.
 */
export function cacheClients (clients: Clients): Clients & { forget: () => void } {
  const cache = new LRUCache<string, Client>({
    max: MAX_CACHED_CLIENTS,
    ttl: TTL_MS,
    fetchMethod: async id => await clients.find(id) ?? undefined
  })
  return {
    ...clients,
    find: id => cache.get(id) ?? cache.fetch(id).then(client => client ?? null),
    forget: () => cache.clear()
  }
}
