import type { FactorId } from '../stores/users/takeovers.js'
import type { Notice } from './notices.js'

/** What changed: by the user, or `removed` by an administrator. */
export type FactorChange = 'on' | 'replaced' | 'app-removed' | 'passkey-added' | 'passkey-removed' | 'off' | 'removed'

/** A change of a user's factors. @param factor the added one */
export function factorChanged (what: FactorChange, factor?: FactorId): Notice {
  return { what, factor, ...what === 'removed' && { advice: 'notice.advice-administrator' } }
}
