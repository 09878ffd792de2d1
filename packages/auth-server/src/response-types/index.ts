import { code } from './code.js'
import { implicit, type ImplicitParts } from './implicit.js'
import type { ResponseType } from './response-type.js'

/** Every response type. To add one, add a line and, unless it is implicit, a file. */
export function createResponseTypes (parts: ImplicitParts & Parameters<typeof code>[0]): readonly ResponseType[] {
  return [
    implicit({ name: 'token', responseModes: ['fragment'], givesAccessToken: true, givesIdToken: false }, parts),
    code(parts),
    implicit({ name: 'id_token', responseModes: ['fragment', 'form_post'], givesAccessToken: false, givesIdToken: true }, parts),
    implicit({ name: 'id_token token', responseModes: ['fragment', 'form_post'], givesAccessToken: true, givesIdToken: true }, parts)
  ]
}
