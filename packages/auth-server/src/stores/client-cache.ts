import { LRUCache } from 'lru-cache'
import type { Client } from '../oauth/client.js'
import type { Clients } from './clients.js'

/** How long a client is taken from memory, in milliseconds: no later does every replica know that it was changed. */
const TTL = 2_000

/** How many clients are kept in memory. */
const CAPACITY = 1_000

/**
 * Finds clients in memory, and asks the database for one at most every two seconds. Changes that are made here hold at
 * once, those of other processes after that.
 */
export function cacheClients (clients: Clients): Clients {
  const memory = new LRUCache<string, Client>({
    max: CAPACITY,
    ttl: TTL,
    fetchMethod: async id => await clients.find(id) ?? undefined
  })
  const forget = <T>(id: string, change: Promise<T>) => change.finally(() => memory.delete(id))
  return {
    find: id => memory.get(id) ?? memory.fetch(id).then(client => client ?? null),
    hasOrigin: origin => clients.hasOrigin(origin),
    list: () => clients.list(),
    add: client => forget(client.id, clients.add(client)),
    put: client => forget(client.id, clients.put(client)),
    change: (id, change) => forget(id, clients.change(id, change)),
    setImplicit: (id, ...change) => forget(id, clients.setImplicit(id, ...change)),
    setDisabled: (id, disabledAt) => forget(id, clients.setDisabled(id, disabledAt)),
    apply: (all, removed) => clients.apply(all, removed).finally(() => memory.clear()),
    remove: id => forget(id, clients.remove(id)),
    revoke: id => forget(id, clients.revoke(id)),
    issuable: id => clients.issuable(id)
  }
}
