// Written by `npm run contracts` from test/contract/recorded/openapi/customer-service.json.

import type { Customer, ListedCustomer } from './messages.js'
import type { FieldError } from './problem-messages.js'

/** The errors of a record of a file. */
export interface LineError {
  /** Line number, as in an editor: line breaks in quotes count. */
  line: number
  customerid?: number | undefined
  /** `field` is empty if the whole line is invalid. */
  errors: Array<FieldError>
}

/** The outcome of an import. */
export interface ImportReport {
  /** The operation, to undo the import. Absent if it changed nothing, or no history is kept. */
  operation?: string | undefined
  /** Records of the file. */
  lines: number
  /** In a dry run: those that could be registered. */
  registered: number
  failed: number
  /** Errors of the first 1,000 failed records, up to four each. */
  errors: Array<LineError>
  hasMoreErrors: boolean
  /** In a dry run: those of `registered` that are probably typing errors: blank names, and ages below 0 or above 150. */
  warned?: number | undefined
  /** In a dry run: the warnings of the first 1,000 records that have any. */
  warnings?: Array<LineError> | undefined
  dryRun: boolean
  file?: { format: 'csv' | 'xlsx' | 'ndjson' | 'json', charset?: string, delimiter?: string, sheet?: string, mapping?: { customerid?: Array<string>, customername?: Array<string>, customerage?: Array<string>, customeraddress?: Array<string> } } | undefined
}

/** The beginning of a table, and how it would be imported. */
export interface ImportPreview {
  format: 'csv' | 'xlsx' | 'ndjson' | 'json'
  /** Of a text, as in the Encoding standard: utf-8, windows-1252, utf-16le … */
  charset?: string | undefined
  /** Of CSV. */
  delimiter?: string | undefined
  /** Of a workbook. */
  sheet?: string | undefined
  /** Where the values of each field come from, as values of `map`. */
  mapping: { customerid?: Array<string>, customername?: Array<string>, customerage?: Array<string>, customeraddress?: Array<string> }
  /** The visible sheets of a workbook, for `sheet`. */
  sheets?: Array<string> | undefined
  headings: Array<string>
  /** The first five records. */
  rows: Array<Array<string>>
  /** Fields without a source: an import is refused until `map` has one for each. */
  missing: Array<'customerid' | 'customername' | 'customerage' | 'customeraddress'>
  /** Sources for missing fields that are probably meant. */
  suggested: { customerid?: Array<string>, customername?: Array<string>, customerage?: Array<string>, customeraddress?: Array<string> }
}

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
  failed: Array<{ customerid: number, reason: 'unknown' }>
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
