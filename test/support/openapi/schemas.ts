import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from './document.js'

const options = { strict: false, allErrors: true, validateFormats: false } as const
const [exact, ofText] = [new Ajv(options), new Ajv({ ...options, coerceTypes: 'array' })]
const compiled = new Map<string, ValidateFunction>()

/**
 * Why a value is none of a schema, in words that follow its name; `null` if it is.
 * @param isText it comes from a form, a query or a header, where numbers are text
 */
export function whyNot (schema: Schema, value: unknown, { isText = false } = {}): string | null {
  const key = `${isText} ${JSON.stringify(schema)}`
  const validate = compiled.get(key) ?? (isText ? ofText : exact).compile({ type: 'object', properties: { value: schema } })
  compiled.set(key, validate)
  // A copy, which coercion changes.
  if (validate({ value: structuredClone(value) })) return null
  return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath.slice('/value'.length)} ${message}`.trim()).join(', ')
}
