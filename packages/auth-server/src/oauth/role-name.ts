import { reason, type Reason } from '../languages/reason.js'

/** Why a text cannot name a role; `null` if it can. */
export function whyNotRoleName (name: string): Reason | null {
  return /^[A-Za-z0-9._-]{1,100}$/.test(name) ? null : reason('reason.role-name')
}
