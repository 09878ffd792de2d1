import type { Changes, Customer } from './messages.js'
import type { CallOptions } from './send.js'

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /**
   * The customer's ETag as you read it: the write fails with 412 if the customer has changed since. This makes retries safe:
   * without it, or with `*`, a write whose response is lost is not retried.
   */
  ifMatch?: string | undefined
}

/** Options of `register`. */
export interface RegisterOptions extends CallOptions {
  /** Default: a new one for each call, the same for its retries. */
  idempotencyKey?: string | undefined
}

/** How to read a file. */
export interface FileOptions extends CallOptions {
  /** Where the fields of a table come from, such as `customername:Full name`. Repeat a field to join columns. */
  map?: readonly string[] | undefined
  /** Name of a sheet of a workbook. Default: the first visible one. */
  sheet?: string | undefined
}

/** Options of `import`. The default of `timeoutMs` is a day. */
export interface ImportOptions extends FileOptions {
  /** Only validates the file: `registered` counts the customers that could be registered. */
  dryRun?: boolean | undefined
  /** Registers every record or, if one has an error, none. Default: registers the records without errors. */
  allOrNothing?: boolean | undefined
  /** Registers customers, changes those that exist, or both. Default: `create`. */
  mode?: 'create' | 'update' | 'upsert' | undefined
  /** How to find the customers to change. Default: `number`. */
  match?: 'number' | 'name' | undefined
  /** Default: a new one for each call, the same for its retries. Send it again to continue an import. */
  idempotencyKey?: string | undefined
}

/** Removes customers, or changes the same fields of all of them; 1,000 at most. */
export type BulkChange = ({ remove: number[] } | { change: Omit<Changes, 'customerid'>, customers: number[] }) & {
  /** The ETag of each customer, in the same order: those that have another one are not changed. */
  etags?: string[] | undefined
}

/** What an app did since a time (RFC 3339). */
export interface AppSince {
  /** Default: the app of the access token. Another one requires the scope `customer:undo`. */
  client_id?: string | undefined
  since: string
}

/** Options of `undo`. The default of `timeoutMs` is a day. */
export interface UndoOptions extends CallOptions {
  /** Only reports what would happen. */
  dryRun?: boolean | undefined
}

/** Options of `events`. */
export interface EventOptions extends CallOptions {
  /** Only events after the one with this `id`, or new ones: `latest`. Default: all events in the feed. */
  after?: string | undefined
}

/** Media types of files. */
export type FileType = 'text/csv' | 'application/x-ndjson' | 'application/json'

/** Media types of files to import. */
export type ImportType = FileType | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Address and ETag of a new customer. */
export interface Registered {
  href: string
  /** For `ifMatch`. */
  etag: string
}

/** A customer, and its ETag for `ifMatch`. */
export type CustomerWithEtag = Customer & { etag: string }
