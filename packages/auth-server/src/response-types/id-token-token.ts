import { implicit, type ImplicitParts } from './implicit.js'
import type { ResponseType } from './response-type.js'

/** An access token and an ID token (OpenID Connect Core §3.2). */
export function idTokenToken (parts: ImplicitParts): ResponseType {
  return implicit({ name: 'id_token token', responseModes: ['fragment', 'form_post'], givesAccessToken: true, givesIdToken: true }, parts)
}
