import { implicit, type ImplicitParts } from './implicit.js'
import type { ResponseType } from './response-type.js'

/** The access token itself, in the fragment (RFC 6749 §4.2). */
export function token (parts: ImplicitParts): ResponseType {
  return implicit({ name: 'token', responseModes: ['fragment'], givesAccessToken: true, givesIdToken: false }, parts)
}
