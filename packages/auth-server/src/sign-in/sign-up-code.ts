import { hashOpaqueToken } from './opaque-token.js'
import { inGroups, randomCode, readUserCode } from './user-code.js'

const CODE_LENGTH = 16

/** A random invitation code as people see it, such as `BCDF-GHJK-LMNP-QRST`: 20^16 possible values, 69 bits. */
export function randomSignUpCode (): string {
  return inGroups(randomCode(CODE_LENGTH))
}

/** The stored hash of an invitation code as typed. */
export function hashSignUpCode (typed: string): string {
  return hashOpaqueToken(`sign-up code ${readUserCode(typed)}`)
}
