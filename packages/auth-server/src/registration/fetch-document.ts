import type { Clock } from '@frontdesk/database/clock'
import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import type { IncomingHttpHeaders } from 'node:http'
import { after } from '../lifetimes.js'
import { errors, OAuthError } from '../oauth/errors.js'
import type { GuardedFetch } from './guarded-fetch.js'
import { readClientDocument, type DocumentConfig, type DocumentFields } from './read-client-document.js'
import { createAssertSector } from './sector-document.js'

/** Maximum size of a document, in bytes. */
export const MAX_DOCUMENT_BYTES = 10_240

/**
 * The outcome of fetching a document. `withdrawn`: 404 or 410. `unreadable`: it could not be fetched, or is invalid. `busy`: too many
 * requests are running. Times are the database's.
 */
export type FetchedDocument =
  | { readonly outcome: 'read', readonly fields: DocumentFields, readonly fetchedAt: Date, readonly freshUntil: Date }
  | { readonly outcome: 'withdrawn' | 'unreadable' | 'busy', readonly error: OAuthError, readonly fetchedAt: Date }

/** Fetches the document at a client_id. @param address source of the request that needs it */
export type FetchDocument = (id: string, address: string) => Promise<FetchedDocument>

/** Makes {@link FetchDocument}. */
export function createFetchDocument (
  { guardedFetch, clock, config }: { guardedFetch: GuardedFetch, clock: Pick<Clock, 'now'>, config: DocumentConfig }
): FetchDocument {
  const assertSector = createAssertSector(guardedFetch)
  return async (id, address) => {
    // Before the request: the document that was requested last wins.
    const fetchedAt = clock.now()
    try {
      const { status, headers, text } = await guardedFetch(id, address, MAX_DOCUMENT_BYTES)
      if (status === 404 || status === 410) {
        const fault = `It was answered with the status ${status} instead of 200.`
        return { outcome: 'withdrawn', error: errors.unreadableClient(fault, { client: id }, { fault }), fetchedAt }
      }
      const fields = readClientDocument(id, { status, type: headers['content-type'], text }, config)
      await assertSector(fields, address)
      return { outcome: 'read', fields, fetchedAt, freshUntil: after(fetchedAt, freshFor(headers)) }
    } catch (error) {
      if (error instanceof OAuthError && error.kind === 'unreadableClient') return { outcome: 'unreadable', error, fetchedAt }
      if (error instanceof OAuthError && error.kind === 'tooManyDocuments') return { outcome: 'busy', error, fetchedAt }
      if (error instanceof OAuthError && error.kind === 'registrationRefused') {
        const fault = error.description
        return { outcome: 'unreadable', error: errors.unreadableClient(fault, { client: id }, { fault }), fetchedAt }
      }
      if (!(error instanceof OutgoingError)) throw error
      if (error.code === 'busy') return { outcome: 'busy', error: errors.tooManyDocuments(error.message, { client: id }), fetchedAt }
      const unreadable = errors.unreadableClient(error.message, { client: id }, { fault: 'It could not be fetched.' })
      return { outcome: 'unreadable', error: unreadable, fetchedAt }
    }
  }
}

/** Limits and default of the cache time that a client's Cache-Control sets, in seconds. */
const CACHE_SECONDS = { minimum: 60, usual: 300, maximum: 86_400 }

/** How long a cached response stays valid if it cannot be fetched again, in milliseconds. */
export const GRACE_MS = 60 * 60_000

/** Minimum time between two fetches of one address, in milliseconds: anyone can cause a fetch with a wrong signature. */
export const REFETCH_MS = 30_000

/** How long to cache a response, in seconds, minus its age in other caches (RFC 9111 §4.2.3, §5.2.2). */
export function freshFor ({ 'cache-control': cacheControl = '', age = '' }: Pick<IncomingHttpHeaders, 'cache-control' | 'age'>): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return CACHE_SECONDS.minimum
  const [, seconds = CACHE_SECONDS.usual] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? []
  const before = /^\d{1,9}$/.test(age) ? Number(age) : 0
  return Math.min(Math.max(Number(seconds) - before, CACHE_SECONDS.minimum), CACHE_SECONDS.maximum)
}
