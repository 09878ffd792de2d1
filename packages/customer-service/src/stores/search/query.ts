import type { Row } from '@frontdesk/database/rows'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'

/** What a list can be sorted by; the identifier breaks ties. */
export type SortKey = 'id' | 'name' | 'age' | 'address' | 'updated'

/** Selects customers that match everything that is given. Case and accents are ignored. */
export interface Filters {
  name?: string
  namePrefix?: string
  /** Prefixes of words in the name or the address. Folded, 8 at most; none matches every customer. */
  words: readonly string[]
  minAge?: number
  maxAge?: number
  updatedSince?: Date
}

/** Where a page begins: after the customer with this sort key. */
export interface Position {
  /** The folded name or the first words of the address, the age, or the last change in milliseconds since 1970. None for `id`. */
  key?: string | number
  id: number
}

/** Selects a page of a list. */
export interface ListQuery {
  filters: Filters
  sort: SortKey
  descending: boolean
  /** Customers on the page, at most. */
  limit: number
  after?: Position
}

/** The columns of a customer in a list. */
export const LISTED = pick(customer, 'id', 'name', 'age', 'address', 'version', 'createdAt', 'updatedAt')

/** A customer in a list. */
export type Listed = Row<typeof LISTED>

/** A page; it may have fewer customers than the limit, even none, and still be followed by another. */
export interface Page {
  customers: Listed[]
  /** Where the next page begins; `null` on the last one. */
  next: Position | null
}

/** The number of matching customers: exactly `count`, or at least that if there may be `more`. */
export interface Total {
  count: number
  more: boolean
}

/** Lists and counts customers. @throws what the database throws */
export interface Lists {
  /** Gives a page of a list. The work has a limit, however many customers there are. */
  list (query: ListQuery): Promise<Page>
  /** Counts the customers of a list; stops after 10,000, with several filters after 1,000 that one of them finds. */
  count (filters: Filters): Promise<Total>
}
