import { jsonWith, readText } from './body.js'
import { BulkClient } from './bulk-client.js'
import type { CustomerWithEtag, EventOptions, Registered, RegisterOptions, WriteOptions } from './calls.js'
import { encode, makeKey, withQuery } from './encode.js'
import { ifMatchHeader, readETag } from './etag.js'
import { readEvents } from './events.js'
import type {
  Changes, Customer, CustomerEvent, CustomerExport, CustomerPage, ErasureReceipt, HistoryPage, HistoryQuery, ListedCustomer, ListQuery,
  Move, Registration, Replacement
} from './messages.js'
import type { RemovedPage, RemovedQuery } from './operation-messages.js'
import { sleep, type CallOptions, type ClientOptions, type CustomerRequest } from './send.js'

export type * from './calls.js'
export type * from './messages.js'
export type * from './import-messages.js'
export type * from './operation-messages.js'
export type * from './problem-messages.js'
export type { CallOptions, ClientOptions } from './send.js'
export { CustomerNetworkError, CustomerProblem } from './problem.js'

/** Maximum delay before a stream reconnects. */
const RECONNECT_MS = 2_000

/**
 * A client of customer-service. Methods reject with a `CustomerProblem` if the service refuses the request, and with a
 * `CustomerNetworkError` without a usable response. Transient failures are retried; those of a write without `ifMatch` only if
 * the service has not processed it: a second removal, for example, could remove a new customer with the number.
 */
export class CustomerClient extends BulkClient {
  readonly #options: ClientOptions

  constructor (options: ClientOptions) {
    super(options)
    this.#options = options
  }

  /** Adds a customer. Retries have the same Idempotency-Key. */
  async register (customer: Registration, { idempotencyKey = makeKey(), ...options }: RegisterOptions = {}): Promise<Registered> {
    const headers = { 'Idempotency-Key': idempotencyKey }
    const request = { method: 'POST', path: '', headers, body: encode(customer), statuses: [201] } as const
    return await this.send(request, options, ({ headers }) => ({ href: headers.get('location') ?? '', etag: readETag(headers) }))
  }

  /** Reads a customer's name. */
  async readName (customerid: number, options: CallOptions = {}): Promise<string> {
    const request = { method: 'GET', path: `/${customerid}`, headers: { Accept: 'text/plain' } } as const
    return await this.send(request, options, readText)
  }

  /** Reads a customer, and its ETag. */
  async read (customerid: number, options: CallOptions = {}): Promise<CustomerWithEtag> {
    return await this.send({ method: 'GET', path: `/${customerid}` }, options, async (response, signal) =>
      ({ ...await jsonWith<Customer>('customerid')(response, signal), etag: readETag(response.headers) }))
  }

  /** Reads one page of a list or a search. `next` is the `cursor` of the next page. */
  async page (query: ListQuery = {}, options: CallOptions = {}): Promise<CustomerPage> {
    return await this.send({ method: 'GET', path: withQuery('', query) }, options, jsonWith<CustomerPage>('items'))
  }

  /** Reads all pages. Pages can be empty; the last one has no `next`. */
  async * pages (query: ListQuery = {}, options: CallOptions = {}): AsyncGenerator<CustomerPage, void, undefined> {
    let { cursor } = query
    do {
      const page = await this.page({ ...query, cursor }, options)
      yield page
      cursor = page.next
    } while (cursor !== undefined)
  }

  /** Reads every customer of a list or a search. */
  async * list (query: ListQuery = {}, options: CallOptions = {}): AsyncGenerator<ListedCustomer, void, undefined> {
    for await (const { items } of this.pages(query, options)) yield * items
  }

  /** Reads one page of a customer's changes, newest first, even of a removed one. */
  async history (customerid: number, query: HistoryQuery = {}, options: CallOptions = {}): Promise<HistoryPage> {
    const request = { method: 'GET', path: withQuery(`/${customerid}/history`, query) } as const
    return await this.send(request, options, jsonWith<HistoryPage>('items'))
  }

  /** Reads one page of the removed customers, newest first. */
  async removed (query: RemovedQuery = {}, options: CallOptions = {}): Promise<RemovedPage> {
    return await this.send({ method: 'GET', path: withQuery('/removed', query) }, options, jsonWith<RemovedPage>('items'))
  }

  /** Reads the position of the last change, for `events`. Read it before a list, to miss no later change. */
  async position (options: CallOptions = {}): Promise<string> {
    const request = { method: 'GET', path: '/events?after=latest' } as const
    return (await this.send(request, options, jsonWith<{ next: string }>('next'))).next
  }

  /**
   * Follows the change feed without end. Reconnects after transient failures, and continues after the last event; store its `id`
   * to continue later. Rejects with the problem `position-gone` if events are missing or the database was restored: then start
   * again with `position` and `list`.
   */
  async * events ({ after, retries = Infinity, ...options }: EventOptions = {}): AsyncGenerator<CustomerEvent, void, undefined> {
    const { random = Math.random, wait = sleep } = this.#options
    for (let position = after; ;) {
      const request = { method: 'GET', path: withQuery('/events', { after: position }), headers: { Accept: 'text/event-stream' } } as const
      const body = await this.send(request, { ...options, retries }, response => response.body)
      for await (const { id, event } of readEvents(body!, options.signal)) {
        position = id ?? position
        if (event !== undefined) yield event
      }
      await wait(random() * RECONNECT_MS, options.signal)
    }
  }

  /** Changes the given fields (PATCH). */
  async change (customerid: number, changes: Changes, options: WriteOptions = {}): Promise<void> {
    const body = JSON.stringify(changes)
    await this.#write({ method: 'PATCH', path: `/${customerid}`, type: 'application/merge-patch+json', body }, options)
  }

  /** Replaces everything but the identifier (PUT). */
  async replace (customerid: number, replacement: Replacement, options: WriteOptions = {}): Promise<void> {
    const body = JSON.stringify(replacement)
    await this.#write({ method: 'PUT', path: `/${customerid}`, type: 'application/json', body }, options)
  }

  /** Changes the address of the only customer with a name (PUT). If several have it, the problem has `candidates`. */
  async move (move: Move, options: WriteOptions = {}): Promise<void> {
    await this.#write({ method: 'PUT', path: '', body: encode(move) }, options)
  }

  /** Removes a customer. */
  async remove (customerid: number, options: WriteOptions = {}): Promise<void> {
    await this.#write({ method: 'DELETE', path: `/${customerid}` }, options)
  }

  /** Reads all data about a customer, including a removed one. */
  async exportOne (customerid: number, options: CallOptions = {}): Promise<CustomerExport> {
    const request = { method: 'GET', path: `/${customerid}/export` } as const
    return await this.send(request, options, jsonWith<CustomerExport>('customerid'))
  }

  /** Restores a customer's values after a version of its history. */
  async restore (customerid: number, version: number, options: WriteOptions = {}): Promise<void> {
    await this.#write({ method: 'POST', path: `/${customerid}/history/${version}/restore`, statuses: [201, 204] }, options)
  }

  /** Erases all data about a customer, including a removed one. */
  async erase (customerid: number, { ifMatch, ...options }: WriteOptions = {}): Promise<ErasureReceipt> {
    const request = { method: 'POST', path: `/${customerid}/erase`, headers: ifMatchHeader(ifMatch) } as const
    return await this.send(request, options, jsonWith<ErasureReceipt>('erasedAt'))
  }

  async #write ({ type, ...request }: Omit<CustomerRequest, 'headers'> & { type?: string }, { ifMatch, ...options }: WriteOptions) {
    const headers = { ...(type === undefined ? {} : { 'Content-Type': type }), ...ifMatchHeader(ifMatch) }
    await this.send({ statuses: [204], ...request, headers }, options, () => undefined)
  }
}
