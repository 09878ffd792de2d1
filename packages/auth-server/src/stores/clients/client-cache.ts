import { LRUCache } from 'lru-cache'
import type { Client } from '../../oauth/client.js'
import type { Stores } from '../stores.js'
import type { Clients } from './clients.js'

/** How long a client stays cached, in milliseconds. After that, every replica knows a change. */
const TTL_MS = 2_000

const MAX_CACHED_CLIENTS = 1_000

/** The clients, and how to empty their cache. */
export type CachedClients = Clients & { readonly forget: () => void }

/**
 * The stores of a server, whose clients are cached: `find` reads a client from the database at most every two seconds. Recorded
 * changes of this process take effect in it at once.
 */
export function cacheClients<S extends Pick<Stores, 'clients' | 'recorded'>> (stores: S): S & { readonly clients: CachedClients } {
  const clients = createCache(stores.clients)
  return {
    ...stores,
    clients,
    recorded (...action: Parameters<Stores['recorded']>) {
      const recorded = stores.recorded(...action)
      return { ...recorded, clients: forgetAfterChanges(recorded.clients, clients.forget) }
    }
  }
}

/** Caches clients in memory (LRU, single-flight). */
function createCache (clients: Clients): CachedClients {
  const create = () => new LRUCache<string, Client>({
    max: MAX_CACHED_CLIENTS,
    ttl: TTL_MS,
    fetchMethod: async id => await clients.find(id) ?? undefined
  })
  let cache = create()
  return {
    ...clients,
    find: id => cache.get(id) ?? cache.fetch(id).then(client => client ?? null),
    // A new cache: emptying it would fail the reads that are underway, and one of them could store an old client.
    forget () { cache = create() }
  }
}

/** Clients whose changes empty a cache. */
export function forgetAfterChanges (clients: Clients, forget: () => void): Clients {
  const { add, put, change, setImplicit, setDisabled, apply, remove, revoke } = clients
  const changes = Object.entries({ add, put, change, setImplicit, setDisabled, apply, remove, revoke })
    // as: each is called as it is.
    .map(([name, change]) => [name, (...args: unknown[]) => (change as (...args: unknown[]) => Promise<unknown>)(...args).finally(forget)])
  return { ...clients, ...Object.fromEntries(changes) }
}
