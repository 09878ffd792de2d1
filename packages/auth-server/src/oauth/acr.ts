import { ACRS, type Acr } from '@frontdesk/schemas/acr'
import type { Message } from '../languages/translator.js'

export const [PASSWORD_ACR, MFA_ACR, PASSKEY_ACR] = ACRS

/** The levels that can be required; every sign-in has the lowest one. */
export const REQUIRED_ACRS = [MFA_ACR, PASSKEY_ACR] as const

/** A level that users must reach. */
export type RequiredAcr = typeof REQUIRED_ACRS[number]

/** The choices of a required level in words. Empty: none, so that a password suffices. */
export const REQUIRED_ACR_WORDS: Readonly<Record<RequiredAcr | '', Message>> = {
  '': { key: 'console.level-password' }, [MFA_ACR]: { key: 'console.level-mfa' }, [PASSKEY_ACR]: { key: 'console.level-passkey' }
}

/** The level that a text names; `null`: none. */
export function requiredAcrOf (text: string | null): RequiredAcr | null {
  return REQUIRED_ACRS.find(acr => acr === text) ?? null
}

/** The level of a sign-in. @param amr see `Authentication` */
export function acrOf (amr: string): Acr {
  const methods = amr.split(' ')
  if (methods.includes('pop')) return PASSKEY_ACR
  return methods.includes('mfa') ? MFA_ACR : PASSWORD_ACR
}

/** The highest level that a user can reach. @param factors kinds of their factors, space-separated; `null`: none */
export function reachableAcr (factors: string | null): Acr {
  if (factors === null) return PASSWORD_ACR
  return factors.split(' ').includes('passkey') ? PASSKEY_ACR : MFA_ACR
}

/** The highest of some levels; `null` is none. Unknown ones have no effect. */
export function highestAcr (...levels: ReadonlyArray<string | null>): Acr {
  return ACRS.findLast(acr => levels.includes(acr)) ?? PASSWORD_ACR
}
