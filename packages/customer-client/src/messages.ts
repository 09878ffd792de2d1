// Written by `npm run contracts` from contracts/openapi/customer-service.json.

/** A customer. */
export interface Customer {
  /** Chosen by the caller that registers the customer. */
  customerid: number
  /** As written; up to 100 code points. */
  customername: string
  /** Any signed 32-bit integer. */
  customerage: number
  /** As written; up to 200 code points. */
  customeraddress: string
}

/** A customer in a list. */
export interface ListedCustomer extends Customer {
  /** The ETag of this customer as JSON, for If-Match. */
  etag: string
  /** RFC 3339, in UTC. */
  created: string
  /** RFC 3339, in UTC. */
  updated: string
  /** Where this customer is found. */
  href: string
}

/** One page of a list. */
export interface CustomerPage {
  /** May be fewer than `limit`, even none, where there is a `next`. */
  items: Array<ListedCustomer>
  /** `cursor` of the next page; the last page has none. */
  next?: string | undefined
  /** With `total=true`. */
  total?: { count: number, more: boolean } | undefined
}

/** What a list holds, and in which order. */
export interface ListQuery {
  /** The whole name. Case and accents make no difference, here and below. */
  name?: string | undefined
  /** What the name begins with. */
  name_prefix?: string | undefined
  /** Words, 8 at most. Each must begin a word of the name or the address. */
  q?: string | undefined
  /** Lowest age. */
  age_gte?: number | undefined
  /** Highest age. */
  age_lte?: number | undefined
  /** Changed or added at this time or later, RFC 3339. */
  updated_since?: string | undefined
  /** With `-`: the other way round. */
  sort?: 'id' | '-id' | 'name' | '-name' | 'age' | '-age' | 'address' | '-address' | 'updated' | '-updated' | undefined
  /** Customers on a page, at most. */
  limit?: number | undefined
  /** `next` of the page before, with the same sort and filters. */
  cursor?: string | undefined
  /** Counts too, up to 10,000; with several filters among the first 1,000 that one of them finds. */
  total?: boolean | undefined
}

/** A customer to register. */
export type Registration = Customer

/** The new values of a customer. */
export interface Replacement {
  /** That of the path, if sent. */
  customerid?: number | undefined
  /** As written; up to 100 code points. */
  customername: string
  /** Any signed 32-bit integer. */
  customerage: number
  /** As written; up to 200 code points. */
  customeraddress: string
}

/** The fields to change, at least one. */
export interface Changes {
  /** That of the path, if sent. */
  customerid?: number | undefined
  /** As written; up to 100 code points. */
  customername?: string | undefined
  /** Any signed 32-bit integer. */
  customerage?: number | undefined
  /** As written; up to 200 code points. */
  customeraddress?: string | undefined
}

/** A new address. */
export interface Move {
  /** Whose address it is. */
  customername: string
  /** The new address. */
  customeraddress: string
  /** Which of several customers with that name. */
  customerid?: number | undefined
}

/** A change of a customer, as its history tells it. */
export interface CustomerChange {
  /** Version of the customer after the change; if it was removed, before. */
  version: number
  /** `registered`, `updated`, `removed`, `restored` or `erased`. */
  kind: string
  at: string
  /** Whose access token it was; null if none was needed. */
  sub: string | null
  /** The app that had the access token. */
  client_id: string | null
  /** `X-Request-Id` of the response. */
  requestId: string | null
  /** The values before; null if there was no customer, or they are no longer kept. */
  before: { customername: string, customerage: number, customeraddress: string } | null
  /** The values after, in the same way. */
  after: { customername: string, customerage: number, customeraddress: string } | null
}

/** A page of a history, newest first. */
export interface HistoryPage {
  items: Array<CustomerChange>
  /** `cursor` of the next page; the last page has none. */
  next?: string | undefined
}

/** Which page of a history. */
export interface HistoryQuery {
  /** Changes on a page, at most. */
  limit?: number | undefined
  /** `next` of the page before. */
  cursor?: string | undefined
}

/** Everything that is held about a customer. */
export interface CustomerExport {
  customerid: number
  /** null if it was removed. */
  customer: ListedCustomer | null
  /** Metadata of the newest 1,000 answers to requests with an Idempotency-Key. */
  storedAnswers: Array<{ version: number | null, created: string, expires: string }>
  /** All changes, newest first. */
  history: Array<CustomerChange>
}

/** What became of a file. */
export interface ImportReport {
  /** Records of the file. */
  lines: number
  /** In a dry run: those that could be registered. */
  registered: number
  failed: number
  /** Those of the first 1,000 records that failed, up to four each. */
  errors: Array<{ line: number, customerid?: number, errors: Array<{ field: string, detail: string }> }>
  hasMoreErrors: boolean
  /** In a dry run: those of `registered` that were probably mistyped: blank names, and ages not from 0 to 150. */
  warned?: number | undefined
  /** Those of the first 1,000 of them. */
  warnings?: Array<{ line: number, customerid?: number, errors: Array<{ field: string, detail: string }> }> | undefined
  dryRun: boolean
}

/** What was erased. */
export interface ErasureReceipt {
  customerid: number
  erasedAt: string
  removed: { customers: number, changes: number, idempotencyKeys: number, importReports: number }
  /** Names this request in the log. */
  requestId: string
}

/** A change of a customer, as an event of CloudEvents 1.0. */
export interface CustomerEvent {
  specversion: '1.0'
  /** Position in the change feed, and a mark by which a restore of the database shows: send it as it is. */
  id: string
  /** The register. */
  source: string
  type: 'customer.registered.v1' | 'customer.updated.v1' | 'customer.removed.v1' | 'customer.restored.v1' | 'customer.erased.v1'
  /** Identifier of the customer. */
  subject: string
  /** RFC 3339, in UTC. */
  time: string
  datacontenttype: 'application/json'
  data: { customerid: number, version: number, fields: Array<string> }
}
