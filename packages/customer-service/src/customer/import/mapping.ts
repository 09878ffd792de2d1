import type { Violation } from '@frontdesk/schemas/field-error'
import { fieldNames, fields, type FieldName } from '../fields.js'
import { noSuch } from '../nearest.js'

/** Numbers customers whose number is empty. */
export const AUTO = 'auto'

/**
 * Where the values of fields come from, as in `map=customername:First name`: headings, whose cells are joined, `#2` for the second
 * column, and a last entry for what is empty: `=0` sets a value, and `auto` a number.
 */
export type Mapping = Partial<Record<FieldName, string[]>>

/** Parses values of `map`, which {@link checkMap} has checked. */
export function parseMap (texts: readonly string[]): Mapping {
  const mapping: Mapping = {}
  for (const text of texts) {
    const [field, source] = splitMap(text)
    if (isField(field)) (mapping[field] ??= []).push(source)
  }
  return mapping
}

/** Returns why a value of `map` is invalid; `undefined` if it is valid. */
export function checkMap (text: string): Violation | undefined {
  const [field, source] = splitMap(text)
  if (source === '') return { detail: 'Must be a field, a colon and a heading, such as customername:Full name.' }
  if (!isField(field)) return { detail: noSuch('field', field, fieldNames) }
  if (source === AUTO && field !== 'customerid') return { detail: `Only customerid can be ${AUTO}. For a value, write ${field}:=value.` }
  return source.startsWith('=') ? fields[field].check(source.slice(1)) : undefined
}

function splitMap (text: string): [field: string, source: string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

function isField (name: string): name is FieldName {
  return Object.hasOwn(fields, name)
}
