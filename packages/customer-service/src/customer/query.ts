import { parse } from 'node:querystring'
import { queryInvalid } from '../problems/list.js'
import { nearest } from './nearest.js'

/** Parameters of a query, at most. */
const MAX_PARAMETERS = 32

/** Why the value of a parameter is invalid, in a sentence; `undefined` if it is valid. */
export type Check = (value: string) => string | undefined

/**
 * Parses a query as strictly as a form.
 * @param text what follows `?`; empty if there is none
 * @param checks of each parameter that there is
 * @throws ProblemError `query-invalid` with every parameter that is wrong
 */
export function parseQuery<Name extends string> (text: string, checks: Readonly<Record<Name, Check>>): Partial<Record<Name, string>> {
  const given = read(text)
  const errors = Object.entries(given).flatMap(([field, value = '']) => {
    const detail = checkValue(checks, field, value)
    return detail === undefined ? [] : [{ field, detail }]
  })
  if (errors.length > 0) throw parametersError(errors)
  // as: each is known and occurs once, as checked above.
  return given as Partial<Record<Name, string>>
}

/** The error of parameters that are wrong. */
export function parametersError (errors: Array<{ field: string, detail: string }>) {
  return queryInvalid(`Correct the parameters in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
}

/** A check for whole numbers in digits. */
export function whole (min: number, max: number): Check {
  return value => /^[0-9]{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
    ? undefined
    : `Must be a whole number from ${min} to ${max}, in digits.`
}

/** A check for a list of values. */
export function oneOf (values: readonly string[]): Check {
  return value => values.includes(value) ? undefined : `Must be one of ${values.join(', ')}.`
}

function read (text: string) {
  try {
    // parse() ignores broken escapes.
    decodeURIComponent(text)
  } catch (cause) {
    throw queryInvalid('A % in the query is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.', { cause })
  }
  if (text.split('&').filter(pair => pair !== '').length > MAX_PARAMETERS) {
    throw queryInvalid(`The query has more than ${MAX_PARAMETERS} parameters. Send only the operation's parameters.`)
  }
  return parse(text, '&', '=', { maxKeys: 0 })
}

function checkValue (checks: Readonly<Record<string, Check>>, field: string, value: string | string[]) {
  const check = Object.hasOwn(checks, field) ? checks[field] : undefined
  if (check === undefined) return unknown(field, Object.keys(checks))
  return typeof value === 'string' ? check(value) : `Must be sent once; it came ${value.length} times.`
}

function unknown (name: string, names: string[]) {
  const meant = nearest(name, names)
  return meant === undefined
    ? `There is no such parameter. There are ${names.join(', ')}.`
    : `There is no such parameter; did you mean \`${meant}\`?`
}
