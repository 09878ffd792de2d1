import { randomInt } from 'node:crypto'
import { foldName, foldWords } from '../search/fold.js'

export interface CustomerRecord {
  /** A signed 32-bit integer, as the age; the caller chooses it. */
  id: number
  name: string
  age: number
  address: string
  /** Incremented by each change; starts at {@link firstVersion}. */
  version: number
}

export type NewCustomer = Omit<CustomerRecord, 'version'>

/** The fields to change. */
export interface Change { name?: string, age?: number, address?: string }

/**
 * A random version, so that a removed customer's ETags do not match its successor. Below 2³⁰, to leave room for as many changes
 * in a 32-bit column.
 */
export function firstVersion (): number {
  return randomInt(2 ** 30)
}

/** Unicode NFC, in which PUT by name compares. */
export function normalizeName (name: string): string {
  return name.normalize('NFC')
}

/** Columns derived from a name: the key for PUT by name, and texts for lists and searches. */
export function foldedName (name: string) {
  return { nameKey: normalizeName(name), nameFold: foldName(name), nameWords: foldWords(name) }
}

/** Columns derived from an address. */
export function foldedAddress (address: string) {
  return { addressWords: foldWords(address) }
}
