import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import { errors, OAuthError } from '../oauth/errors.js'
import type { Clock } from '@frontdesk/database/clock'
import { freshFor } from './fresh-for.js'
import type { GuardedFetch } from './guarded-fetch.js'
import { createAssertSector } from './sector-document.js'
import { readClientDocument, type DocumentConfig, type DocumentFields } from './read-client-document.js'

/** Longest document, in bytes. */
const MAX_BYTES = 10_240

/**
 * What fetching a document led to: what it says; or `withdrawn`: 404 or 410; `unreadable`: it could not be fetched, or breaks the
 * rules; `busy`: too many requests are under way. Times are the database's.
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
    // Before the request: of two documents, the one that was requested later wins.
    const fetchedAt = clock.now()
    try {
      const { status, headers, text } = await guardedFetch(id, address, MAX_BYTES)
      if (status === 404 || status === 410) {
        const fault = `It was answered with the status ${status} instead of 200.`
        return { outcome: 'withdrawn', error: errors.unreadableClient(fault, { client: id }, { fault }), fetchedAt }
      }
      const fields = readClientDocument(id, { status, type: headers['content-type'], text }, config)
      await assertSector(fields, address)
      const freshUntil = new Date(fetchedAt.getTime() + freshFor(headers) * 1_000)
      return { outcome: 'read', fields, fetchedAt, freshUntil }
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
