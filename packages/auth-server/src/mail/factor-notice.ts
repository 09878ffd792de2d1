import type { FactorId } from '../stores/users/takeovers.js'
import type { Notice } from './notices.js'

const CHANGES = {
  on: ['Two-step sign-in is on', at =>
    `Two-step sign-in was turned on for your account at ${at}. To sign in, you now need a code from your authenticator app.`],
  replaced: ['Your authenticator app was replaced', at =>
    `The authenticator app for your account at ${at} was replaced. Codes from the previous app no longer work.`],
  'app-removed': ['Your authenticator app was removed', at =>
    `The authenticator app was removed from your account at ${at}. Two-step sign-in stays on with your passkeys.`],
  'passkey-added': ['A passkey was added', at =>
    `A passkey was added to your account at ${at}. You can use it to sign in instead of your password.`],
  'passkey-removed': ['A passkey was removed', at =>
    `A passkey was removed from your account at ${at}. It no longer works.`],
  off: ['Two-step sign-in is off', at =>
    `Two-step sign-in was turned off for your account at ${at}. Your authenticator app and recovery codes no longer work.`],
  removed: ['An administrator turned off two-step sign-in', at =>
    `An administrator turned off two-step sign-in for your account at ${at}. ` +
    'Your authenticator app, passkeys and recovery codes no longer work.']
} as const satisfies Record<string, readonly [what: string, says: (site: string) => string]>

/** What changed: by the user, or `removed` by an administrator. */
export type FactorChange = keyof typeof CHANGES

/** A change of a user's factors. @param factor the added one */
export function factorChanged (change: FactorChange, factor?: FactorId): Notice {
  const [what, says] = CHANGES[change]
  return { what, says: site => [says(site)], factor, ...change === 'removed' && { doubt: 'If you didn\'t ask for this' } }
}
