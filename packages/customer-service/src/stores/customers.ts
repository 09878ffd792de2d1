import type { Versions } from '../input/etag.js'

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
  /** Finds a customer by id. */
  find (id: number): Promise<CustomerRecord | null>
  /** Changes the address of the one customer with that name (in Unicode NFC), or of none at all. */
  move (target: Target, address: string): Promise<{ outcome: 'moved' } | Refusal>
  /** Removes a customer; its id may be registered again at once. */
  remove (id: number, versions: Versions): Promise<{ outcome: 'removed' | 'unknown' | 'version differs' }>
  /** Resolves when the register answers. */
  ping (): Promise<void>
}
