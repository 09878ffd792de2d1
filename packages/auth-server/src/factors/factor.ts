import type { Parameters } from '../oauth/parameters.js'

/** A kind of second factor. */
export interface Factor {
  readonly kind: 'totp' | 'recovery-code' | 'passkey'
  /** What it adds to `amr` (RFC 8176). */
  readonly amr: string
  /** Checks a form and uses the factor up, in one statement. Returns `false` if it is wrong, was used before, or is not enrolled. */
  use (userId: string, form: Parameters, now: Date): Promise<boolean>
}

/** What a user typed into the field of a factor, without spaces. */
export function codeOf ({ code }: Parameters): string {
  return typeof code === 'string' ? code.replace(/\s/g, '') : ''
}
