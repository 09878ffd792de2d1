import { randomInt } from 'node:crypto'
import { foldName, foldWords } from '../search/fold.js'

/** A customer as it is stored. */
export interface CustomerRecord {
  /** A signed 32-bit integer, as the age: chosen by the caller who registers the customer. */
  id: number
  name: string
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

/** The name as PUT compares it: Unicode NFC. */
export function keyOf (name: string): string {
  return name.normalize('NFC')
}

/** What is stored with a name: the key that PUT finds it by, and what lists and searches need. */
export function foldedName (name: string) {
  return { nameKey: keyOf(name), nameFold: foldName(name), nameWords: foldWords(name) }
}

/** The same for an address. */
export function foldedAddress (address: string) {
  return { addressWords: foldWords(address) }
}
