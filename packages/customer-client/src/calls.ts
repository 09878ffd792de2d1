import type { Customer } from './messages.js'
import type { CallOptions } from './send.js'

/** How a write to a customer is sent. */
export interface WriteOptions extends CallOptions {
  /**
   * ETag of the customer as it was read: the write is made only if the customer has not changed since, else 412. It makes
   * retries safe: without it, or with `*`, a write whose response is lost is not sent again.
   */
  ifMatch?: string | undefined
}

/** How a customer is registered. */
export interface RegisterOptions extends CallOptions {
  /** Default: a new one for each call, the same for its retries. */
  idempotencyKey?: string | undefined
}

/** How a file is imported. The default of `timeoutMs` is a day, not that of the client. */
export interface ImportOptions extends CallOptions {
  /** Only checks the file: `registered` is how many customers it could register. */
  dryRun?: boolean | undefined
  /** Default: `best-effort`, which registers the customers without errors. */
  mode?: 'best-effort' | 'all-or-nothing' | undefined
  /** Default: a new one for each call, the same for its retries. With the same one again, an import continues. */
  idempotencyKey?: string | undefined
}

/** What is read of the change feed. */
export interface EventOptions extends CallOptions {
  /** Only events after the one with this `id`, or after the present: `latest`. Default: all that are kept. */
  after?: string | undefined
}

/** The kinds of files that hold a register. */
export type FileType = 'text/csv' | 'application/x-ndjson' | 'application/json'

/** Where a new customer is. */
export interface Registered {
  href: string
  /** For `ifMatch`. */
  etag: string
}

/** A customer, and its ETag for `ifMatch`. */
export type CustomerWithEtag = Customer & { etag: string }
