import type { FieldError, Violation } from '@frontdesk/schemas/field-error'
import type { Maker } from '../problems/define.js'
import { fields, type FieldName } from './fields.js'

/** A value that no check accepts; `mistake` is a sentence. */
export interface Mistake { mistake: string }

/** The fields of a body by name; an array if a field is repeated. */
export type Sent = Record<string, string | string[] | Mistake | undefined>

/**
 * Checks every field that an operation reads.
 * @param invalid makes the error
 * @throws what `invalid` makes, with every invalid field
 */
export function check<R extends FieldName, O extends FieldName> (
  sent: Sent, required: readonly R[], optional: readonly O[], invalid: Maker
) {
  const errors = findErrors(sent, required, optional)
  if (errors.length > 0) throw fieldsError(errors, invalid)
  // as: every required field is present, and none is repeated or a mistake, as checked above.
  return sent as Record<R, string> & Partial<Record<O, string>>
}

/** Makes the error for invalid fields. */
export function fieldsError (errors: FieldError[], invalid: Maker) {
  return invalid(`Correct the fields in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
}

/** Finds every invalid field. */
export function findErrors (sent: Sent, required: readonly FieldName[], optional: readonly FieldName[]): FieldError[] {
  const known: FieldName[] = [...required, ...optional]
  const misspelt = Object.keys(sent).flatMap(field => {
    const name = known.find(name => name !== field && name === field.toLowerCase())
    return name === undefined ? [] : [{ field, name }]
  })
  const errors = misspelt.map(({ field, name }): FieldError => ({ field, detail: `There is no such field; did you mean \`${name}\`?` }))
  for (const name of known) {
    const isMissing = sent[name] === undefined
    if (isMissing && (optional.includes(name) || misspelt.some(it => it.name === name))) continue
    const violation: Violation | undefined = isMissing ? { rule: 'missing', detail: 'Is missing.' } : checkValue(name, sent[name])
    if (violation !== undefined) errors.push({ field: name, ...violation })
  }
  return errors
}

function checkValue (name: FieldName, value: Sent[string] = ''): Violation | undefined {
  if (typeof value === 'string') return fields[name].check(value)
  return { detail: Array.isArray(value) ? `Must be sent once; it came ${value.length} times.` : value.mistake }
}
