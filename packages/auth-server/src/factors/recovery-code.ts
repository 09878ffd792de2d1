import { randomBytes } from 'node:crypto'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { RecoveryCodes } from '../stores/users/recovery-codes.js'
import { codeOf, type Factor } from './factor.js'

/** How many codes are made together. */
const CODES = 10
/** With so few codes left, users are warned. */
export const FEW_CODES = 2

/** Crockford's base32: no letters that look like digits or each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Characters of a code, with 5 bits each, and of a group. */
const [LENGTH, GROUP] = [16, 4]

/** Recovery codes, for users who lost their factor. Each works once. */
export function createRecoveryCode (recoveryCodes: Pick<RecoveryCodes, 'use'>): Factor {
  return {
    kind: 'recovery-code',
    amr: 'otp',
    async use (userId, form) {
      const code = normalize(codeOf(form))
      return code.length === LENGTH && await recoveryCodes.use(userId, hashOpaqueToken(code))
    }
  }
}

/** Makes codes to show, and their stored hashes. */
export function makeRecoveryCodes (): { readonly codes: readonly string[], readonly hashes: readonly string[] } {
  const codes = Array.from({ length: CODES }, () => [...randomBytes(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length]).join(''))
  return { codes: codes.map(code => code.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')), hashes: codes.map(hashOpaqueToken) }
}

/** A code as it was made: users type capitals, and letters for digits that look like them. */
function normalize (typed: string): string {
  return typed.toLowerCase().replaceAll('-', '').replaceAll('o', '0').replace(/[il]/g, '1')
}
