import { LRUCache } from 'lru-cache'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../oauth/client.js'
import { errors } from '../oauth/errors.js'
import { DEFAULTS } from '../stores/clients/client-row.js'
import type { Clients } from '../stores/clients/clients.js'
import type { Clock } from '@frontdesk/database/clock'
import { counts, fieldsOf } from './document-refresh.js'
import { whyNotDocumentUrl } from './document-url.js'
import type { FetchDocument, FetchedDocument } from './fetch-document.js'
import type { FetchLimit } from './limits.js'

/** Clients whose client_id is the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientDocuments {
  /**
   * The client of a client_id that is a URL. The database's row wins if an operator has adopted or disabled the client. `null`: no
   * row has this client_id, and documents are off.
   * @param address the browser's, for which fetches are limited
   * @throws OAuthError `unreadableClient`, `tooManyDocuments`
   */
  find (id: string, address: string): Promise<Client | null>
}

/** Maximum documents and failures in the cache. */
const MAX_CACHED_DOCUMENTS = 500

/** How long a failure is cached, in milliseconds, so that reloading a page does not fetch again. */
const FAILURE_MS = 10_000

interface Options {
  clients: Pick<Clients, 'find'>
  clock: Pick<Clock, 'now'>
  /** `undefined`: documents are off. */
  fetchDocument: FetchDocument | undefined
  limit: FetchLimit
  config: { allowPrivateNetworks: boolean, registrationResources: readonly string[] }
}

/** {@link ClientDocuments}, cached in memory (LRU, single-flight). Nothing is stored before a user allows the client access. */
export function createClientDocuments ({ clients, clock, fetchDocument, limit, config }: Options): ClientDocuments {
  const cache = new LRUCache<string, FetchedDocument, { address: string, fetchDocument: FetchDocument }>({
    max: MAX_CACHED_DOCUMENTS,
    ttl: FAILURE_MS,
    // A waiting user gets the document, even if it was evicted from the cache.
    ignoreFetchAbort: true,
    async fetchMethod (id, _, { options, context: { address, fetchDocument } }) {
      if (!await limit(address)) throw errors.tooManyDocuments('this address requested too many documents', { client: id })
      const fetched = await fetchDocument(id, address)
      if (fetched.outcome === 'busy') throw fetched.error
      if (fetched.outcome === 'read') options.ttl = fetched.freshUntil.getTime() - fetched.fetchedAt.getTime()
      return fetched
    }
  })

  return {
    async find (id, address) {
      const row = await clients.find(id)
      if (row !== null && (row.disabledAt !== null || row.registeredBy !== 'document')) return row
      if (fetchDocument === undefined) return null
      const fault = whyNotDocumentUrl(id, config.allowPrivateNetworks)
      if (fault !== null) throw errors.unreadableClient(fault.sentence, {}, { fault: fault.sentence })
      const found = cache.get(id) ?? await cache.fetch(id, { context: { address, fetchDocument } })
      if (found === undefined) throw errors.tooManyDocuments('the cache is full', { client: id })
      if (found.outcome !== 'read') {
        if (found.outcome === 'unreadable' && row !== null && counts(row, clock.now())) return row
        throw found.error
      }
      // An endpoint for clients, or another replica, has fetched it since.
      if (row !== null && (row.documentFetchedAt ?? 0) > found.fetchedAt && counts(row, clock.now())) return row
      if (row?.tokenEndpointAuthMethod === 'private_key_jwt' && found.fields.tokenEndpointAuthMethod !== 'private_key_jwt') {
        const fault = 'token_endpoint_auth_method: A client that has registered keys keeps private_key_jwt.'
        throw errors.unreadableClient(fault, { client: id }, { fault })
      }
      const { documentFetchedAt, documentFreshUntil, ...fields } = fieldsOf(found, config.registrationResources)
      return {
        ...UNSTORED,
        ...row,
        ...fields,
        documentFetchedAt,
        documentFreshUntil,
        id,
        registeredBy: 'document',
        // Changes are stored when a user allows access.
        usedAt: row !== null && isSame(row, fields) ? row.usedAt : null
      }
    }
  }
}

/** The other fields of a client that is not in the database. */
const UNSTORED = { ...DEFAULTS, withoutPkceAt: null, pairwiseSalt: null, logoName: null, disabledAt: null, createdAt: new Date(0) } as const

function isSame (row: Client, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(row[name as keyof Client], value))
}
