import { acrsFrom, meets, type Acr } from '@frontdesk/schemas/acr'
import { SENSITIVE_MAX_AGE } from '../lifetimes.js'
import { isRecent } from '../oauth/interaction.js'

/** Parameters of an authorization request whose sign-in allows sensitive actions (RFC 9470 §4). */
export interface RequiredSignIn { readonly acr_values?: string, readonly max_age: string }

/** @param acr minimum level; `undefined`: any */
export function requiredSignIn (acr: Acr | undefined): RequiredSignIn {
  return { ...acr !== undefined && { acr_values: acrsFrom(acr).join(' ') }, max_age: String(SENSITIVE_MAX_AGE) }
}

/** Whether a sign-in is recent and strong enough for a sensitive action. @param required minimum level; `undefined`: any */
export function allowsSensitive (
  { authTime, acr }: { readonly authTime: Date, readonly acr: string | undefined }, required: Acr | undefined, now: Date
): boolean {
  return isRecent(authTime, SENSITIVE_MAX_AGE, now) && (required === undefined || meets(acr, required))
}
