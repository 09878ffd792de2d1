// Written by `npm run contracts` from test/contract/recorded/openapi/customer-service.json.

/** A customer. */
export interface Customer {
  /** The caller chooses it when adding the customer. */
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
  /** Address of this customer. */
  href: string
}

/** One page of a list. */
export interface CustomerPage {
  /** Can be fewer than `limit`, or empty, even if there is a `next`. */
  items: Array<ListedCustomer>
  /** The next page's `cursor`. Absent on the last page. */
  next?: string | undefined
  /** Present with `total=true`. */
  total?: { count: number, more: boolean } | undefined
}

/** Filters, order and page of a list. */
export interface ListQuery {
  /** The whole name. All filters ignore case and accents. */
  name?: string | undefined
  /** What the name begins with. */
  name_prefix?: string | undefined
  /** Words, 8 at most; a number or an age, such as `34`; only a number: `#34`; or ages: `30-39`, `> 60`, `< 18`. */
  q?: string | undefined
  /** Lowest age. */
  age_gte?: number | undefined
  /** Highest age. */
  age_lte?: number | undefined
  /** Changed or added at this time or later, RFC 3339. */
  updated_since?: string | undefined
  /** A `-` reverses the order. */
  sort?: 'id' | '-id' | 'name' | '-name' | 'age' | '-age' | 'address' | '-address' | 'updated' | '-updated' | undefined
  /** Maximum customers on a page. */
  limit?: number | undefined
  /** `next` of the page before, with the same sort and filters. */
  cursor?: string | undefined
  /** Returns the total, counted up to 10,000. With several filters, counting covers the first 1,000 customers that match one of them. */
  total?: boolean | undefined
}

/** A customer to register. */
export type Registration = Customer

/** The new values of a customer. */
export interface Replacement {
  /** Must match the path, if sent. */
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
  /** Must match the path, if sent. */
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
  /** The customer whose address changes. */
  customername: string
  /** The new address. */
  customeraddress: string
  /** Selects one of several customers with that name. */
  customerid?: number | undefined
}

/** A change in the history of a customer. */
export interface CustomerChange {
  /** The customer that it is a change of, if that was merged into this one. */
  customerid?: number | undefined
  /** Version of the customer after the change. For a removal, the version before it. */
  version: number
  /** `registered`, `updated`, `removed`, `restored`, `merged` or `erased`. */
  kind: string
  at: string
  /** User of the access token; null if none was needed. */
  sub: string | null
  /** App of the access token. */
  client_id: string | null
  /** `X-Request-Id` of the response. */
  requestId: string | null
  /** The operation that the change is part of, such as an import. */
  operation?: string | undefined
  /** The customer that this one was merged into. */
  successor?: number | undefined
  /** The values before; null if there was no customer, or they are no longer kept. */
  before: { customername: string, customerage: number, customeraddress: string } | null
  /** The values after; null as for `before`. */
  after: { customername: string, customerage: number, customeraddress: string } | null
}

/** A page of a history, newest first. */
export interface HistoryPage {
  items: Array<CustomerChange>
  /** The next page's `cursor`. Absent on the last page. */
  next?: string | undefined
}

/** A page of a history. */
export interface HistoryQuery {
  /** Maximum changes on a page. */
  limit?: number | undefined
  /** `next` of the previous page. */
  cursor?: string | undefined
}

/** All data about a customer. */
export interface CustomerExport {
  customerid: number
  /** null if it was removed. */
  customer: ListedCustomer | null
  /** Metadata of the newest 1,000 responses to requests with an Idempotency-Key. */
  storedAnswers: Array<{ version: number | null, created: string, expires: string }>
  /** All changes, newest first. */
  history: Array<CustomerChange>
}

/** A receipt for an erasure. */
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
  /** Position in the change feed, with a marker that detects a restored database. Send it back unchanged. */
  id: string
  /** The register. */
  source: string
  type: 'customer.registered.v1' | 'customer.updated.v1' | 'customer.removed.v1' | 'customer.restored.v1' | 'customer.merged.v1' | 'customer.erased.v1'
  /** Identifier of the customer. */
  subject: string
  /** RFC 3339, in UTC. */
  time: string
  datacontenttype: 'application/json'
  data: { customerid: number, version: number, fields: Array<string>, successor?: number }
}
