import type { Parameters } from '../oauth/parameters.js'

/** A kind of second factor. */
export interface Factor {
  readonly kind: 'totp' | 'recovery-code' | 'passkey'
  /** What it adds to `amr` (RFC 8176). */
  readonly amr: string
  /** Checks a form and uses the factor up, in one statement. Returns `false` if it is wrong, was used before, or is not enrolled. */
  use (userId: string, form: Parameters, now: Date): Promise<boolean>
}

/** Digits that keyboards for Arabic and Persian type. Their last four bits are the number. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g

/** What a user typed or pasted into the field of a code, without spaces and the marks around what is copied from Arabic text. */
export function codeOf ({ code }: Parameters): string {
  if (typeof code !== 'string') return ''
  return code.replace(/[\s\p{Cf}]/gu, '').replace(ARABIC_DIGITS, digit => String(digit.charCodeAt(0) & 0xf))
}
