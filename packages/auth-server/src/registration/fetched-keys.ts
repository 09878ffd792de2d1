import { parseForeignJson } from '@frontdesk/service-kit/json'
import { createKeySet } from '@frontdesk/service-kit/key-set'
import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import { LRUCache } from 'lru-cache'
import type { FetchedKeys, FindKey } from '../client-auth/client-auth.js'
import { withoutNulls } from '../input/without-nulls.js'
import { errors } from '../oauth/errors.js'
import { isSelfRegistered } from '../oauth/identity.js'
import { arePublic } from './credentials.js'
import { freshFor, GRACE_MS, REFETCH_MS } from './fetch-document.js'
import type { FetchLimit } from './limits.js'
import type { GuardedFetch } from './guarded-fetch.js'

/** Maximum size of a key set, in bytes. */
const MAX_KEY_SET_BYTES = 51_200

/** Maximum key sets in a cache. */
const MAX_CACHED_KEY_SETS = 500

/** Keys and when they were fetched; without keys, the address has none. */
interface Entry { readonly find: FindKey | null, readonly freshUntil: number, readonly triedAt: number }

/**
 * Makes {@link FetchedKeys}, cached in memory (LRU, single-flight). Self-registered clients have their own cache and
 * limits: they must not evict the keys of others, nor cause unlimited fetches.
 */
export function createFetchedKeys (guardedFetch: GuardedFetch, limit: FetchLimit): FetchedKeys {
  const vouched = cacheKeys(guardedFetch)
  const selfRegistered = cacheKeys(async (url, address, maxBytes) => {
    if (!await limit(address)) throw new OutgoingError('busy', new URL(url).host)
    return await guardedFetch(url, address, maxBytes)
  })
  return { at: async ({ jwksUri, ...client }, ...rest) => await (isSelfRegistered(client) ? selfRegistered : vouched)(jwksUri, ...rest) }
}

function cacheKeys (guardedFetch: GuardedFetch) {
  const cache = new LRUCache<string, Entry>({ max: MAX_CACHED_KEY_SETS })
  const underway = new Map<string, Promise<Entry>>()

  async function load (uri: string, address: string, now: number): Promise<Entry> {
    const known = cache.get(uri)
    const entry = await fetchKeys(guardedFetch, uri, address, now).catch(error => {
      if (!(error instanceof OutgoingError || error instanceof UnreadableKeys)) throw error
      const stands = known !== undefined && known.find !== null && now < known.freshUntil + GRACE_MS
      // Not cached: other sources can still fetch the keys.
      if (!stands && error instanceof OutgoingError && error.code === 'busy') throw errors.tooManyDocuments(error.message)
      return { find: stands ? known.find : null, freshUntil: known?.freshUntil ?? 0, triedAt: now }
    })
    cache.set(uri, entry)
    return entry
  }

  return async (uri: string, address: string, now: Date, isRefused = false) => {
    const [known, time] = [cache.get(uri), now.getTime()]
    const isFresh = known !== undefined && time < known.freshUntil && !isRefused
    const isTried = known !== undefined && time < known.triedAt + REFETCH_MS
    let entry = known
    if (known === undefined || (!isFresh && !isTried)) {
      const loading = underway.get(uri) ?? load(uri, address, time).finally(() => underway.delete(uri))
      underway.set(uri, loading)
      entry = await loading
    }
    if (entry?.find == null) throw errors.invalidClient('the keys at jwks_uri cannot be fetched, or there are none')
    return entry.find
  }
}

/** The response is not a set of public keys. */
class UnreadableKeys extends Error {}

/** @throws OutgoingError, UnreadableKeys */
async function fetchKeys (guardedFetch: GuardedFetch, uri: string, address: string, now: number): Promise<Entry> {
  const { status, headers, text } = await guardedFetch(uri, address, MAX_KEY_SET_BYTES)
  const freshUntil = now + freshFor(headers) * 1_000
  // The client has withdrawn its keys.
  if (status === 404 || status === 410) return { find: null, freshUntil: now, triedAt: now }
  if (status !== 200) throw new UnreadableKeys(`status ${status}`)
  return { find: createKeySet({ keys: publicKeysOf(text) }), freshUntil, triedAt: now }
}

function publicKeysOf (text: string): Parameters<typeof createKeySet>[0]['keys'] {
  const { keys } = Object(withoutNulls(parseForeignJson(text)))
  if (arePublic(keys)) return keys
  throw new UnreadableKeys('not a JSON set of public keys')
}
