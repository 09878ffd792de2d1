import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import type { TSchema } from '@sinclair/typebox'
import type { FastifySchemaCompiler } from 'fastify'
import { invalid, Refusal, unknown } from '../../admin/refusal.js'
import { MAX_FAULTS } from './errors.js'

/** Replacements for messages of TypeBox that are written for programmers. */
const SENTENCES: Readonly<Record<string, string>> = {
  'Unexpected property': 'There is no such field.',
  'Expected required property': 'It is missing.'
}

/** Compiles the check of a body or a query when the first request needs it. Unknown fields are refused, and bodies are not converted. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let check: ReturnType<typeof TypeCompiler.Compile> | undefined
  return (input: unknown) => {
    check ??= TypeCompiler.Compile(schema)
    const value = httpPart === 'body' ? input : Value.Convert(schema, input)
    if (hasUnstorable(value)) {
      return {
        error: httpPart === 'params'
          ? unknown('path', 'There is no such resource.')
          : invalid('', 'A string contains a NUL character or half of a surrogate pair.')
      }
    }
    if (check.Check(value)) return { value }
    const faults = new Map<string, string>()
    for (const { path, message } of check.Errors(value)) {
      faults.set(path.slice(1).replaceAll('/', '.'), SENTENCES[message] ?? `${message}.`)
      if (faults.size === MAX_FAULTS) break
    }
    const explained = [...faults].map(([field, sentence]) => ({ field, sentence: `${field || 'body'}: ${sentence}` }))
    return { error: new Refusal('invalid', explained) }
  }
}

/** Whether a string has characters that a database rejects or replaces: what is stored would differ from the response. */
function hasUnstorable (value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || /\p{Surrogate}/u.test(value)
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(hasUnstorable)
}
