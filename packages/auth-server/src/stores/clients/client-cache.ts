import { LRUCache } from 'lru-cache'
import type { Client } from '../../oauth/client.js'
import type { Clients } from './clients.js'

/** How long a client stays cached, in milliseconds: by then, every replica knows that it was changed. */
const TTL_MS = 2_000

/** Most clients in the cache. */
const MAX_CACHED_CLIENTS = 1_000

/**
 * Caches clients in memory (LRU, single-flight): `find` reads a client from the database at most every two seconds. A change
 * takes effect after that, unless `forget` empties the cache.
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
