// Written by `npm run contracts` from test/contract/recorded/openapi/customer-service.json.

import type { Customer, ListedCustomer } from './messages.js'

/** Changes of many customers by one request. */
export interface Operation {
  /** Its id. */
  operation: string
  kind: 'import' | 'change' | 'remove' | 'merge' | 'undo'
  /** When it began. */
  at: string
  /** User of the access token; null if none was needed. */
  sub: string | null
  /** App of the access token. */
  client_id: string | null
  /** Customers that it has changed so far. */
  customers: number
  /** The operation that it undoes. */
  undoes?: string | undefined
  /** The app whose changes it undoes. */
  undoes_client_id?: string | undefined
  /** Since when it undoes them. */
  undoes_since?: string | undefined
  /** The operation that undid it. */
  undone?: string | undefined
}

/** A page of operations, newest first. */
export interface OperationsPage {
  items: Array<Operation>
  /** The next page's `cursor`. Absent on the last page. */
  next?: string | undefined
}

/** A page of operations. */
export interface OperationsQuery {
  /** Maximum operations on a page. */
  limit?: number | undefined
  /** `next` of the previous page. */
  cursor?: string | undefined
}

/** The outcome of an undo. */
export interface UndoReport {
  /** The undo, which is an operation itself: undo it to do the changes again. */
  operation?: string | undefined
  /** Customers that the operation changed. */
  customers: number
  /** Those that have the values from before again. In a dry run: those that would have them. */
  reverted: number
  /** Those that were not changed. */
  skipped: number
  /** Of the first 1,000 skipped customers. */
  reasons: Array<{ customerid?: number, reason: 'changed' | 'removed' | 'registered again' | 'merged' | 'erased' | 'not retained', detail: string, at?: string, sub?: string | null }>
  hasMoreReasons: boolean
  dryRun: boolean
}

/** The outcome of a change of many customers. */
export interface BulkReport {
  /** The operation, to undo the changes. Absent if nothing was changed, or no history is kept. */
  operation?: string | undefined
  /** Removed customers. In a dry run: those that would be removed. */
  removed?: number | undefined
  /** Changed customers. In a dry run: those that would be changed. */
  changed?: number | undefined
  failed: Array<{ customerid: number, reason: 'unknown' | 'changed' | 'merged', successor?: number }>
  dryRun: boolean
}

/** A removed customer. */
export interface RemovedCustomer extends Customer {
  /** The version before the removal, to restore it with. */
  version: number
  /** When it was removed: RFC 3339, in UTC. */
  at: string
  /** User of the access token; null if none was needed. */
  sub: string | null
  /** App of the access token. */
  client_id: string | null
}

/** A page of removed customers, newest first. */
export interface RemovedPage {
  /** Can be fewer than `limit`, or empty, even if there is a `next`. */
  items: Array<RemovedCustomer>
  /** The next page's `cursor`. Absent on the last page. */
  next?: string | undefined
}

/** A page of removed customers. */
export interface RemovedQuery {
  /** Words, as in `listCustomers`. */
  q?: string | undefined
  /** Maximum customers on a page. */
  limit?: number | undefined
  /** `next` of the previous page. */
  cursor?: string | undefined
}

/** A page of pairs of customers. */
export interface DuplicatesPage {
  /** Can be fewer than `limit`, or empty, even if there is a `next`. */
  items: Array<{ customers: Array<ListedCustomer>, similar: Array<'address' | 'age'> }>
  /** The next page's `cursor`. Absent on the last page. */
  next?: string | undefined
}

/** A page of pairs. */
export interface DuplicatesQuery {
  /** Maximum pairs on a page. */
  limit?: number | undefined
  /** `next` of the previous page. */
  cursor?: string | undefined
}

/** What to merge into a customer. */
export interface Merge {
  /** The customer to merge into this one. */
  from: number
  /** Its ETag: if it has changed since, nothing is merged. */
  fromEtag?: string | undefined
  /** As written; up to 100 code points. */
  customername?: string | undefined
  /** Any signed 32-bit integer. */
  customerage?: number | undefined
  /** As written; up to 200 code points. */
  customeraddress?: string | undefined
}

/** The customer that stays. */
export interface Merged {
  /** The customer that stays. */
  customerid: number
  /** Its new ETag as JSON. */
  etag: string
  /** To undo the merge. Absent without a history. */
  operation?: string | undefined
}
