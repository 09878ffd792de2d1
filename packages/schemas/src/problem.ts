import { Type, type Static } from '@sinclair/typebox'
import { FieldError } from './field-error.js'

/** Media type of {@link Problem}. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

/** An error response (RFC 9457 §3.1) with this project's extensions. */
export const Problem = Type.Object({
  type: Type.String({ description: 'Address of a page that explains this kind of problem, or `about:blank`.' }),
  title: Type.String({ description: 'The kind of problem, in a few words.' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status code.' }),
  detail: Type.Optional(Type.String({ description: 'What was wrong with this request, and what to do.' })),
  instance: Type.Optional(Type.String({ description: 'Path of the request.' })),
  requestId: Type.Optional(Type.String({ description: 'Names this request in the log.' })),
  errors: Type.Optional(Type.Array(FieldError, { description: 'Every invalid field.' }))
}, { title: 'Problem' })
export type Problem = Static<typeof Problem>
