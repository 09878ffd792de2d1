import type { Row } from '@frontdesk/database/rows'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'

/** Sort order of a list; the identifier breaks ties. */
export type SortKey = 'id' | 'name' | 'age' | 'address' | 'updated'

/** Selects customers that match all filters, ignoring case and accents. */
export interface Filters {
  name?: string
  namePrefix?: string
  /** The number. */
  id?: number
  /** Folded words that the name or the address has, at most 8; empty matches every customer. */
  words: readonly string[]
  /** Customers that match whatever their words are: with this number, or of these ages. */
  or?: { id?: number, minAge: number, maxAge: number }
  /** The text of a search: lists begin with the customer of this number, and those with this name. */
  text?: string
  /** Customers that do not match. */
  except?: { id?: number, name?: string }
  minAge?: number
  maxAge?: number
  updatedSince?: Date
}

/** Start of a page: after the customer with this sort key. */
export interface Position {
  /** The folded name, the first words of the address, the age, or the last change in milliseconds since 1970. None for `id`. */
  key?: string | number
  id: number
  /** The part of the list, as of `tiersOf`; the first one by default. */
  tier?: number
}

/** Selects a page of a list, of at most `limit` customers. */
export interface ListQuery {
  filters: Filters
  sort: SortKey
  descending: boolean
  limit: number
  after?: Position
}

/** Columns of a customer in a list. */
export const LISTED = { ...pick(customer, 'id', 'name', 'age', 'address', 'version'), createdAt: 'timestamp', updatedAt: 'timestamp' } as const
export type Listed = Row<typeof LISTED>

/** A page. It can have fewer customers than the limit, even none, before the last one. `next`: start of the next page. */
export interface Page { customers: Listed[], next: Position | null }

/** The number of matching customers: exactly `count` or, with `more`, at least `count`. */
export interface Total { count: number, more: boolean }

/** Lists and counts customers. @throws what the database throws */
export interface Lists {
  /** Lists a page, with a limit of the work that does not depend on the number of customers. */
  list (query: ListQuery): Promise<Page>
  /** Counts the customers of a list, up to 10,000; with several filters, up to 1,000 that one of them finds. */
  count (filters: Filters): Promise<Total>
}
