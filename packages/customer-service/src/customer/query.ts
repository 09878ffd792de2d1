import type { FieldError, Violation } from '@frontdesk/schemas/field-error'
import { parseUrlencoded } from '../input/form.js'
import { queryInvalid } from '../problems/request.js'
import { notWhole } from './fields.js'
import { noSuch } from './nearest.js'

/** Returns why a parameter's value is invalid; `undefined` if it is valid. */
export type Check = (value: string) => Violation | undefined

/**
 * Parses a query as strictly as a form.
 * @param text what follows `?`; empty if there is none
 * @param checks of every known parameter
 * @param listChecks of parameters that may be repeated
 * @throws ProblemError `query-invalid` with every invalid parameter
 */
export function parseQuery<Name extends string, List extends string = never> (
  // as: without checks there are no names.
  text: string, checks: Readonly<Record<Name, Check>>, listChecks: Readonly<Record<List, Check>> = {} as Record<List, Check>
): Partial<Record<Name, string> & Record<List, string[]>> {
  const given = parseUrlencoded(text, { whole: 'query', part: 'parameters', malformed: queryInvalid })
  const lists: Record<string, string[]> = Object.create(null)
  for (const [field, value = ''] of Object.entries(given)) if (Object.hasOwn(listChecks, field)) lists[field] = [value].flat()
  const errors = Object.entries({ ...given, ...lists }).flatMap(([field, value = '']) => {
    const values = lists[field] ?? [value]
    const violation = values.map(value => checkValue({ ...checks, ...listChecks }, field, value)).find(it => it !== undefined)
    return violation === undefined ? [] : [{ field, ...violation }]
  })
  if (errors.length > 0) throw parametersError(errors)
  // as: each is known and occurs as often as it may, as checked above.
  return { ...given, ...lists } as Partial<Record<Name, string> & Record<List, string[]>>
}

/** Makes the error for invalid parameters. */
export function parametersError (errors: FieldError[]) {
  return queryInvalid(`Correct the parameters in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
}

/** Accepts whole numbers in digits. */
export function whole (min: number, max: number): Check {
  return value => /^[0-9]{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
    ? undefined
    : notWhole(min, max)
}

/** Accepts these values. */
export function oneOf (values: readonly string[]): Check {
  return value => values.includes(value) ? undefined : { detail: `Must be one of ${values.join(', ')}.` }
}

function checkValue (checks: Readonly<Record<string, Check>>, field: string, value: string | string[]): Violation | undefined {
  const check = Object.hasOwn(checks, field) ? checks[field] : undefined
  if (check !== undefined) return typeof value === 'string' ? check(value) : { detail: `Must be sent once; it came ${value.length} times.` }
  return { detail: noSuch('parameter', field, Object.keys(checks)) }
}
