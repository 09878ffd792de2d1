import type { Maker } from '../problems/define.js'
import { fields, type FieldName } from './fields.js'

/** Why what was sent is not a value that can be checked. */
export interface Mistake {
  /** A sentence. */
  mistake: string
}

/** The fields of a body by name: a text, several if the field is repeated, or a mistake. */
export type Sent = Record<string, string | string[] | Mistake | undefined>

/** A field that is wrong, and why, in a sentence. */
export interface FieldError { field: string, detail: string }

/**
 * Checks every field that an operation reads.
 * @param invalid makes the error
 * @throws what `invalid` makes, with every field that is wrong
 */
export function check<R extends FieldName, O extends FieldName> (sent: Sent, required: R[], optional: O[], invalid: Maker) {
  const errors = findErrors(sent, required, optional)
  if (errors.length > 0) {
    throw invalid(`Correct the fields in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
  }
  // as: every required field is present, and none is repeated or a mistake, as checked above.
  return sent as Record<R, string> & Partial<Record<O, string>>
}

/** Finds every field that is wrong. */
export function findErrors (sent: Sent, required: readonly FieldName[], optional: readonly FieldName[]): FieldError[] {
  const known: FieldName[] = [...required, ...optional]
  const misspelt = Object.keys(sent).flatMap(field => {
    const name = known.find(name => name !== field && name === field.toLowerCase())
    return name === undefined ? [] : [{ field, name }]
  })
  const errors = misspelt.map(({ field, name }) => ({ field, detail: `There is no such field; did you mean \`${name}\`?` }))
  for (const name of known) {
    const isMissing = sent[name] === undefined
    if (isMissing && (optional.includes(name) || misspelt.some(it => it.name === name))) continue
    const detail = isMissing ? 'Is missing.' : checkValue(name, sent[name])
    if (detail !== undefined) errors.push({ field: name, detail })
  }
  return errors
}

function checkValue (name: FieldName, value: Sent[string] = '') {
  if (typeof value === 'string') return fields[name].check(value)
  return Array.isArray(value) ? `Must be sent once; it came ${value.length} times.` : value.mistake
}
