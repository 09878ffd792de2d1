import { implicit, type ImplicitParts } from './implicit.js'
import type { ResponseType } from './response-type.js'

/** An ID token alone (OpenID Connect Core §3.2). */
export function idToken (parts: ImplicitParts): ResponseType {
  return implicit({ name: 'id_token', responseModes: ['fragment', 'form_post'], givesAccessToken: false, givesIdToken: true }, parts)
}
