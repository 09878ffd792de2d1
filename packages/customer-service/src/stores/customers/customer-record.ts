import type { Versions } from '../../input/etag.js'
import type { Filters, ListQuery, Page, Total } from '../search/query.js'

/** Changes that lists are told of at once: many share the pages of the indexes, and few hold nobody up. */
export const CHANGES_AT_ONCE = 100

/** A customer as it is kept. */
export interface CustomerRecord {
  /** 1…2147483647, chosen by whoever registers. */
  id: number
  name: string
  /** 0…150. */
  age: number
  address: string
  /** One more with each change; a registration starts at a random number. */
  version: number
}

/** What is to be other than it is. */
export interface Change {
  name?: string
  age?: number
  address?: string
}

/** A request that may come several times and is to be done once. */
export interface Attempt {
  /** SHA-256 of the caller's key, and of who that is. */
  hash: string
  /** SHA-256 of what was sent. */
  fingerprint: string
}

/** Which customer an address is for. */
export interface Target {
  name: string
  /** Says which of several with the name, if given. */
  id?: number
  versions: Versions
}

/** Why a change was not made. */
export type Refusal =
  | { outcome: 'unknown' | 'version differs' | 'name differs' }
  /** `ids` are the lowest ten. */
  | { outcome: 'ambiguous', total: number, ids: number[] }

/**
 * The customer register. Each method is one statement that decides by itself, so that any number of callers and
 * processes at once see the same as one after the other. What is resolved has been committed.
 * All throw `databaseUnavailable` within 3 s when the database is away, and have done nothing then as far as is known.
 */
export interface Customers {
  /** Adds a customer; resolves to its version, or to `null` and changes nothing when the id is taken. */
  register (customer: Omit<CustomerRecord, 'version'>): Promise<number | null>
  /**
   * The same at most once for each attempt, for 24 hours: later ones resolve to what the first did, `isReplay`, or do
   * nothing because it is under way, or because they send another customer.
   */
  registerOnce (customer: Omit<CustomerRecord, 'version'>, attempt: Attempt): Promise<{ outcome: 'answered', version: number | null, isReplay: boolean } | { outcome: 'under way' | 'other customer' }>
  /** Finds a customer by id. */
  find (id: number): Promise<CustomerRecord | null>
  /** Changes the address of the one customer with that name (in Unicode NFC), or of none at all; resolves to its id. */
  move (target: Target, address: string): Promise<{ outcome: 'moved', id: number } | Refusal>
  /** Changes a customer, if it has one of the versions. */
  change (id: number, change: Change, versions: Versions): Promise<{ outcome: 'changed' | 'unknown' | 'version differs' }>
  /** Removes a customer; its id may be registered again at once. */
  remove (id: number, versions: Versions): Promise<{ outcome: 'removed' | 'unknown' | 'version differs' }>
  /**
   * Forgets attempts that have ended by the clock of the database, in small statements. Atomic: exactly one concurrent
   * caller does, until it has missed its turn. Resolves to how many; `null` if it was the turn of another.
   * @param until when they have ended; what the clock vouches for unless given
   */
  forgetAttempts (caller: string, until?: Date): Promise<number | null>
  /**
   * Gives a page of a list, which knows what was changed before, unless that was thousands of changes. The work for it
   * has a bound, however many customers there are.
   */
  list (query: ListQuery): Promise<Page>
  /** Counts the customers of a list; stops after 10,000, with several filters after 1,000 that the most selective one finds. */
  count (filters: Filters): Promise<Total>
  /** Makes lists know the oldest changes that they do not; resolves to how many, {@link CHANGES_AT_ONCE} if there may be more. */
  prepare (): Promise<number>
  /** Resolves when the register answers: to `ok`, or to why what is written to it is lost. */
  ping (): Promise<string>
}
