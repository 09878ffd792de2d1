import { randomInt } from 'node:crypto'

/** The highest age. */
export const MAX_AGE = 150

/** A customer as it is stored. */
export interface CustomerRecord {
  /** 1…2147483647, chosen by the caller who registers the customer. */
  id: number
  name: string
  /** 0…{@link MAX_AGE}. */
  age: number
  address: string
  /** Incremented by each change; starts at {@link firstVersion}. */
  version: number
}

/** A customer to register. */
export type NewCustomer = Omit<CustomerRecord, 'version'>

/** The fields to change. */
export interface Change {
  name?: string
  age?: number
  address?: string
}

/**
 * A random version, so that ETags of a removed customer do not match its successor. Below 2³⁰: leaves room for as many
 * changes in a 32-bit column.
 */
export function firstVersion (): number {
  return randomInt(2 ** 30)
}
