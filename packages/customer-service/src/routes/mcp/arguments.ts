import type { TObject } from '@sinclair/typebox'
import { fields, toInteger } from '../../customer/fields.js'
import { noSuch } from '../../customer/nearest.js'
import { parametersError } from '../../customer/query.js'
import type { Arguments } from './tool.js'

/** Rejects arguments that a tool does not have, which could otherwise be lost. @throws ProblemError `query-invalid` */
export function assertKnown (args: Arguments, { properties }: TObject): void {
  const names = Object.keys(properties)
  const unknown = Object.keys(args).filter(name => !names.includes(name))
  if (unknown.length > 0) throw parametersError(unknown.map(field => ({ field, detail: noSuch('argument', field, names) })))
}

/** Separates the customer's identifier from the other arguments. @throws ProblemError `query-invalid` */
export function takeId ({ customerid, ...rest }: Arguments): { id: number, rest: Arguments } {
  const text = asText(customerid)
  const violation = customerid === undefined ? { rule: 'missing' as const, detail: 'Is missing.' } : fields.customerid.check(text)
  if (violation !== undefined) throw parametersError([{ field: 'customerid', ...violation }])
  return { id: toInteger(text), rest }
}

/** The text of a number, also of one that an assistant sends as a string; empty for any other value. */
export function asText (value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}

/** Writes arguments as a query, which the parsers of the REST API read. @throws ProblemError `query-invalid` */
export function asQuery (args: Arguments): string {
  const entries = Object.entries(args)
  const wrong = entries.filter(([, value]) => typeof value === 'object')
  if (wrong.length > 0) {
    throw parametersError(wrong.map(([field]) => ({ field, detail: 'Must be a string, a number or a Boolean; leave it out for none.' })))
  }
  return new URLSearchParams(Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))).toString()
}
