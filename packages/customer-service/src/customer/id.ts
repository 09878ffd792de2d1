import { Type, type Static } from '@sinclair/typebox'
import { customerUnknown } from '../problems/customer.js'

/** The largest identifier. */
export const MAX_ID = 2147483647

/** Path parameters of one customer. */
export const CustomerPath = Type.Object({
  customerid: Type.String({ description: `A whole number from 1 to ${MAX_ID}, without leading zeros.`, examples: ['4711'] })
})
export type CustomerPath = Static<typeof CustomerPath>

/**
 * Parses the identifier in a path.
 * @throws ProblemError `customer-unknown`: no customer can have an identifier that is not 1…2147483647
 */
export function parseId (text: string): number {
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : Infinity
  if (id > MAX_ID) throw customerUnknown(`An identifier is a whole number from 1 to ${MAX_ID}, without leading zeros.`)
  return id
}
