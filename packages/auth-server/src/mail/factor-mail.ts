import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { NoticeFacts } from './notices.js'

const SUBJECTS = {
  on: 'Two-step sign-in is on',
  replaced: 'Your authenticator app was replaced',
  'app-removed': 'Your authenticator app was removed',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  off: 'Two-step sign-in is off',
  removed: 'An administrator turned off two-step sign-in'
} as const

const SENTENCES: Record<FactorChange, (at: string) => string> = {
  on: at => `Two-step sign-in was turned on for your account at ${at}. To sign in, you now need a code from your authenticator app.`,
  replaced: at => `The authenticator app for your account at ${at} was replaced. Codes from the previous app no longer work.`,
  'app-removed': at => `The authenticator app was removed from your account at ${at}. Two-step sign-in stays on with your passkeys.`,
  'passkey-added': at => `A passkey was added to your account at ${at}. You can use it to sign in, instead of your password.`,
  'passkey-removed': at => `A passkey was removed from your account at ${at}. It no longer works.`,
  off: at => `Two-step sign-in was turned off for your account at ${at}. Your authenticator app and recovery codes no longer work.`,
  removed: at => `An administrator turned off two-step sign-in for your account at ${at}. ` +
    'Your authenticator app, passkeys and recovery codes no longer work.'
}

/** What changed: by the user, or `removed` by an administrator. */
export type FactorChange = keyof typeof SUBJECTS

/** Writes the email that tells a user about a change of their factors. */
export function writeFactorMail (change: FactorChange, { to, username, site }: NoticeFacts): Mail {
  const advice = change === 'removed'
    ? 'If you didn\'t ask for this, contact your administrator.'
    : 'If this wasn\'t you, change your password, and contact your administrator.'
  const before = [SENTENCES[change](site), `Your user name is ${username}.`]
  return writeLetter({ to, subject: `${SUBJECTS[change]} at ${site}`, before, after: [advice] })
}
