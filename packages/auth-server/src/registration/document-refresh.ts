import { LRUCache } from 'lru-cache'
import type { DocumentRefresh } from '../client-auth/client-auth.js'
import type { Client } from '../oauth/client.js'
import { errors } from '../oauth/errors.js'
import type { StoredDocuments } from '../stores/clients/client-documents.js'
import type { Clients } from '../stores/clients/clients.js'
import { MAX_UNCHECKED_CLIENTS } from '../stores/clients/client-use.js'
import { type FetchDocument, GRACE_MS, REFETCH_MS } from './fetch-document.js'

interface Options {
  clients: Pick<Clients, 'read'>
  documents: StoredDocuments
  /** `undefined`: documents are off. */
  fetchDocument: FetchDocument | undefined
  /** Resources that these clients can request tokens for. */
  resources: readonly string[]
}

/** Makes {@link DocumentRefresh}: each document is fetched once at a time (single-flight), and not again within {@link REFETCH_MS}. */
export function createDocumentRefresh ({ clients, documents, fetchDocument, resources }: Options): DocumentRefresh {
  const triedAt = new LRUCache<string, number>({ max: MAX_UNCHECKED_CLIENTS })
  const underway = new Map<string, Promise<Client>>()

  async function refresh (id: string, address: string, now: Date, isRefused: boolean): Promise<Client> {
    const row = await clients.read(id)
    if (row === null || row.disabledAt !== null) throw errors.invalidClient('the client was removed or disabled', { client: id })
    if (row.registeredBy !== 'document') return row
    const [time, tried] = [now.getTime(), triedAt.get(id)]
    // Another replica or an earlier request may have refreshed it.
    const isDone = isFresh(row, now) && !isRefused
    const isTried = tried !== undefined && time >= tried && time < tried + REFETCH_MS
    if (isDone || isTried || fetchDocument === undefined) return assertCounts(row, now)
    triedAt.set(id, time)
    const fetched = await fetchDocument(id, address)
    if (fetched.outcome === 'withdrawn') await documents.end(id, fetched.fetchedAt)
    if (fetched.outcome === 'read') await documents.renew({ ...row, ...fieldsOf(fetched, resources) })
    // Not counted as an attempt: other sources can still fetch the document.
    if (fetched.outcome === 'busy') triedAt.delete(id)
    const after = await clients.read(id)
    if (after === null) throw errors.invalidClient('the client was removed', { client: id })
    if (fetched.outcome === 'busy' && !counts(after, now)) throw fetched.error
    return assertCounts(after, now)
  }

  return {
    async current (client, address, now, isRefused = false) {
      const { id, registeredBy } = client
      if (registeredBy !== 'document' || (isFresh(client, now) && !isRefused)) return client
      const refreshing = underway.get(id) ?? refresh(id, address, now, isRefused).finally(() => underway.delete(id))
      underway.set(id, refreshing)
      return await refreshing
    }
  }
}

/** The client fields of a document, with its times. */
export function fieldsOf (
  { fields: { implicit: _, ...fields }, fetchedAt, freshUntil }: Extract<Awaited<ReturnType<FetchDocument>>, { outcome: 'read' }>,
  resources: readonly string[]
) {
  return { ...fields, resources: resources.toSorted(), documentFetchedAt: fetchedAt, documentFreshUntil: freshUntil }
}

function isFresh ({ documentFreshUntil: until }: Client, now: Date): boolean {
  return until !== null && now < until
}

/** Whether a stored document is still valid while it cannot be fetched. */
export function counts ({ documentFreshUntil: until }: Client, now: Date): boolean {
  return until !== null && now.getTime() < until.getTime() + GRACE_MS
}

/** @throws OAuthError `invalidClient` */
function assertCounts (client: Client, now: Date): Client {
  if (counts(client, now)) return client
  throw errors.invalidClient('the metadata document was removed, or cannot be fetched', { client: client.id })
}
