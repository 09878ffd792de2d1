import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { Type, type Static } from '@sinclair/typebox'
import { customerUnknown } from '../problems/customer.js'

const RULE = `whole number from ${MIN_INTEGER} to ${MAX_INTEGER}, without leading zeros.`

/** Path parameters of one customer. */
export const CustomerPath = Type.Object({
  customerid: Type.String({ description: `A ${RULE}`, examples: ['4711'] })
})
export type CustomerPath = Static<typeof CustomerPath>

/**
 * Parses the identifier in a path.
 * @throws ProblemError `customer-unknown`: no customer can have an identifier that is not a signed 32-bit integer
 */
export function parseId (text: string): number {
  const id = readId(text)
  if (id === undefined) throw customerUnknown(`An identifier is a ${RULE}`)
  return id
}

/** Parses an identifier; `undefined` if it is invalid. */
export function readId (text: string): number | undefined {
  const id = /^(0|-?[1-9][0-9]{0,9})$/.test(text) ? Number(text) : undefined
  return isId(id) ? id : undefined
}

/** Whether a value is the identifier that a customer can have. */
export function isId (value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= MIN_INTEGER && value <= MAX_INTEGER
}
