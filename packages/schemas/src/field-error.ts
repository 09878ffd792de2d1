import { Type, type Static } from '@sinclair/typebox'

const RULES = [
  'missing', 'integer', 'length', 'characters', 'letter', 'words', 'taken', 'duplicate', 'blank', 'unusual', 'unknown', 'ambiguous',
  'merged'
] as const

/** An invalid field of a form, an object, a query or a file. */
export const FieldError = Type.Object({
  field: Type.String({ description: 'Name of the field.' }),
  // Not an enumeration for clients: there can be more rules later.
  rule: Type.Optional(Type.Unsafe<typeof RULES[number]>(Type.String({
    description: `One of ${RULES.join(', ')}.`
  }))),
  minimum: Type.Optional(Type.Integer({ description: 'With the rules integer and unusual.' })),
  maximum: Type.Optional(Type.Integer({ description: 'With the rules integer, length, words and unusual.' })),
  detail: Type.String({ description: 'What is wrong with the value.' })
})
export type FieldError = Static<typeof FieldError>

/** Why a value is invalid. */
export type Violation = Omit<FieldError, 'field'>
