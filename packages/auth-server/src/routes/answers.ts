import { Problem } from '@frontdesk/schemas/problem'
import { Type } from '@sinclair/typebox'

/** An error, as a page for people or as problem+json for who asks for JSON. */
export const pageOrProblem = {
  description: 'A page that says what happened and what to do; problem+json (RFC 9457) with `Accept: application/json`.',
  content: { 'text/html': { schema: Type.String() }, 'application/problem+json': { schema: Type.Composite([Problem, Type.Object({ error: Type.Optional(Type.String()) })]) } }
}

/** A page. */
export const page = {
  description: 'A page.',
  content: { 'text/html': { schema: Type.String() } }
}
