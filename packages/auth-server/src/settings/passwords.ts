import { integer } from '@frontdesk/service-kit/settings'
import type { Static, TObject } from '@sinclair/typebox'

/** Settings of passwords. */
export const passwordSettings = {
  PASSWORD_MIN: integer(
    'Minimum length of new passwords, in characters. NIST SP 800-63B-4 requires 15 where a password is the only factor.',
    { minimum: 8, maximum: 128, unit: 'characters', default: 8 }
  )
}

export interface PasswordConfig {
  /** Minimum length of new passwords, in code points. */
  readonly passwordMin: number
}

export function readPasswords ({ PASSWORD_MIN: passwordMin }: Static<TObject<typeof passwordSettings>>): PasswordConfig {
  return { passwordMin }
}
