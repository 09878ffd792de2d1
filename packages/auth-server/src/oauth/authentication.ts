import type { Acr } from '@frontdesk/schemas/acr'
import { numericDate } from '../lifetimes.js'
import { acrOf } from './acr.js'

/** When and how a user signed in. */
export interface Authentication {
  readonly authTime: Date
  /** Methods (RFC 8176), space-separated: `pwd`, `pwd otp mfa`, `pwd pop mfa` or `pop user mfa`; with `fed` for `pwd`, see `UPSTREAM`. */
  readonly amr: string
}

/** `amr` of a sign-in with a password alone. */
export const PASSWORD = 'pwd'

/** `amr` of a sign-in with a passkey alone, which has verified the user. */
export const PASSKEY = 'pop user mfa'

/** `amr` of a sign-in with the upstream OpenID Provider alone: one factor, whatever was used there. RFC 8176 has no value for it. */
export const UPSTREAM = 'fed'

/** `amr` of a sign-in with a password and a second factor. @param factor what the factor adds */
export function passwordAnd (factor: string): string {
  return `${PASSWORD} ${factor} mfa`
}

/** The same after an earlier step, which was the password or the upstream provider. @param before `amr` of this step */
export function withFactor (before: string, factor: string): string {
  return before.split(' ').includes(UPSTREAM) ? `${UPSTREAM} ${factor} mfa` : passwordAnd(factor)
}

/** Whether a sign-in used the password and a second factor. */
export function isPasswordAndFactor (amr: string): boolean {
  const methods = amr.split(' ')
  return methods.includes(PASSWORD) && methods.includes('mfa')
}

/** The claims of tokens that describe a sign-in (OpenID Connect Core §2, RFC 9068 §2.2.1). */
export function authenticationClaims ({ authTime, amr }: Authentication): { auth_time: number, acr: Acr, amr: string[] } {
  return { auth_time: numericDate(authTime), acr: acrOf(amr), amr: amr.split(' ') }
}
