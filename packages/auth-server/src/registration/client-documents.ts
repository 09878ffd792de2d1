import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import { LRUCache } from 'lru-cache'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../oauth/client.js'
import { OAuthError, oauthError } from '../oauth/errors.js'
import { createCounters } from '../sign-in/counters.js'
import { sourcesOf } from '../sign-in/source.js'
import type { Clients } from '../stores/clients.js'
import type { Throttles } from '../stores/throttles.js'
import { freshFor } from './fresh-for.js'
import type { GuardedFetch } from './guarded-fetch.js'
import { whyNotDocumentUrl } from './document-url.js'
import { readClientDocument, type DocumentConfig } from './read-client-document.js'
import type { RegisteredFields } from './client-metadata.js'

/** Apps that a document describes, at the URL that is their client_id (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientDocuments {
  /**
   * The app of a client_id that is a URL. A row of the database wins if an operator has adopted or disabled the app.
   * @param address of the browser: limits how many documents it has fetched
   * @throws OAuthError `unreadableClient`, `tooManyDocuments`
   */
  find (id: string, address: string): Promise<Client>
}

/** Most documents that one source has fetched in ten minutes: an IPv4 address or a /64, then a /56 and a /48. */
const FETCHES = [30, 60, 120].map(points => ({ name: 'client document', points, duration: 10 * 60 }))

/** Longest document, in bytes. */
const MAX_BYTES = 10_240

/** Most documents in the cache, and failures. */
const CAPACITY = 500

/** How long a failure is remembered, in milliseconds: long enough that a page that is reloaded does not fetch again. */
const FAILURE_MS = 10_000

interface Options {
  clients: Pick<Clients, 'find'>
  throttles: Throttles
  guardedFetch: GuardedFetch
  config: DocumentConfig & { registrationResources: readonly string[] }
}

/** {@link ClientDocuments}, cached in memory (LRU, single-flight). Nothing is stored before a person allows the app access. */
export function createClientDocuments ({ clients, throttles, guardedFetch, config }: Options): ClientDocuments {
  const limits = FETCHES.map(it => throttles.under(it))
  const cache = new LRUCache<string, RegisteredFields | OAuthError, string>({
    max: CAPACITY,
    ttl: FAILURE_MS,
    // A waiting person gets the document, also if others push it out of the cache meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod (id, _, { options, context: address }) {
      const { retryAfter } = await createCounters(limits, sourcesOf(address)).count()
      if (retryAfter > 0) throw oauthError('tooManyDocuments', 'this address had too many documents fetched', { client: id })
      try {
        const { fields, seconds } = await load(id, address)
        options.ttl = seconds * 1_000
        return fields
      } catch (error) {
        if (error instanceof OAuthError && error.kind === 'unreadableClient') return error
        throw error
      }
    }
  })

  /** @throws OAuthError `unreadableClient`; `tooManyDocuments` if too many are fetched at once */
  async function load (id: string, address: string): Promise<{ fields: RegisteredFields, seconds: number }> {
    try {
      const { status, headers, text } = await guardedFetch(id, address, MAX_BYTES)
      const fields = readClientDocument(id, { status, type: headers['content-type'], text }, config)
      return { fields, seconds: freshFor(headers['cache-control']) }
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      if (error.code === 'busy') throw oauthError('tooManyDocuments', error.message, { client: id })
      throw oauthError('unreadableClient', error.message, { client: id }, { fault: 'It could not be fetched.' })
    }
  }

  return {
    async find (id, address) {
      const fault = whyNotDocumentUrl(id, config.allowPrivateNetworks)
      if (fault !== null) throw oauthError('unreadableClient', fault, {}, { fault })
      const row = await clients.find(id)
      if (row !== null && (row.disabledAt !== null || row.registeredBy !== 'document')) return row
      const found = cache.get(id) ?? await cache.fetch(id, { context: address })
      if (found === undefined || found instanceof OAuthError) throw found ?? oauthError('tooManyDocuments', 'the cache is full', { client: id })
      const fields = { ...found, resources: config.registrationResources.toSorted() }
      return {
        ...UNSTORED,
        ...row,
        ...fields,
        id,
        registeredBy: 'document',
        // What differs from the row is stored when a person allows access.
        usedAt: row !== null && isSame(row, fields) ? row.usedAt : null
      }
    }
  }
}

/** Fields of an app that is not in the database, besides those of its document. */
const UNSTORED = {
  accessTokenTtl: null,
  implicitDeprecatedAt: null,
  implicitUntil: null,
  profile: null,
  withoutPkceAt: null,
  idTokenClaims: false,
  userinfoSignedResponseAlg: null,
  sectorIdentifier: null,
  allowedScope: null,
  pairwiseSalt: null,
  logoName: null,
  demo: false,
  disabledAt: null,
  createdAt: new Date(0)
}

function isSame (row: Client, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(row[name as keyof Client], value))
}
