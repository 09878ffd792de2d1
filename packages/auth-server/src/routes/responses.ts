import { Problem } from '@frontdesk/schemas/problem'
import { Type } from '@sinclair/typebox'

/** A problem with members of RFC 6749 and of this server. */
const OAuthProblem = Type.Composite([Problem, Type.Object({
  error: Type.Optional(Type.String({ description: 'Error code (RFC 6749 §4.2.2.1).' })),
  requested: Type.Optional(Type.String({ description: 'The callback in the authorization request.' })),
  difference: Type.Optional(Type.String({ description: 'How it first differs from the most similar registered one.' })),
  fault: Type.Optional(Type.String({ description: 'What is wrong with the document that describes the app.' })),
  missing: Type.Optional(Type.String({ description: 'Missing parameters.' }))
})], { title: 'OAuthProblem' })

/** An error, as a page or as problem+json. */
export const pageOrProblem = {
  description: 'A page that explains what happened and what to do, or problem+json (RFC 9457) with `Accept: application/json`.',
  content: { 'text/html': { schema: Type.String() }, 'application/problem+json': { schema: OAuthProblem } }
}

export const page = { description: 'A page.', content: { 'text/html': { schema: Type.String() } } }

/** Responses of routes with pages. */
export const pages = { '2xx': page, '4xx': pageOrProblem, '5xx': pageOrProblem }
