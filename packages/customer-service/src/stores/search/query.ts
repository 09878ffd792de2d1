/** What a list can be sorted by; the identifier decides between equals. */
export type SortKey = 'id' | 'name' | 'updated'

/** Which customers a list is of: those that fit all that is given. Case and accents make no difference. */
export interface Filters {
  name?: string
  namePrefix?: string
  /** Each begins a word of the name or the address. Folded, 8 at most; none lets everybody through. */
  words: readonly string[]
  minAge?: number
  maxAge?: number
  updatedSince?: Date
}

/** Where a page begins: after the customer with this key of the sort. */
export interface Position {
  /** The folded name, or the time of the change in milliseconds since 1970; nothing where the sort is `id`. */
  key?: string | number
  id: number
}

/** Which page of a list is wanted. */
export interface ListQuery {
  filters: Filters
  sort: SortKey
  descending: boolean
  /** Customers on the page, at most. */
  limit: number
  after?: Position
}

/** A customer in a list. */
export interface Listed {
  id: number
  name: string
  age: number
  address: string
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A page; it may have fewer customers than wanted, even none, and still be followed by another. */
export interface Page {
  customers: Listed[]
  /** Where the next page begins; `null` on the last one. */
  next: Position | null
}

/** How many customers there are: `count` exactly, or at least where there may be `more`. */
export interface Total {
  count: number
  more: boolean
}
