import { code } from './code.js'
import { idToken } from './id-token.js'
import { idTokenToken } from './id-token-token.js'
import type { ResponseType } from './response-type.js'
import { token } from './token.js'

/** Every response type. To add one, add a file and a line. */
export function createResponseTypes (parts: Parameters<typeof token>[0] & Parameters<typeof code>[0]): readonly ResponseType[] {
  return [
    token(parts),
    code(parts),
    idToken(parts),
    idTokenToken(parts)
  ]
}
