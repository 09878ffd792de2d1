import { isLoopback } from '@frontdesk/service-kit/address'
import { integer, oneOf, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Settings for people who create an account themselves. */
export const signUpSettings = {
  SIGN_UP: oneOf(
    'Whether people can create an account. `code` requires an invitation code, which `frontdesk-auth sign-up code` prints; `open` does not. Both require `SMTP_URL`.',
    ['off', 'code', 'open']
  ),
  SIGN_UP_EMAILS: integer(
    'Maximum emails per hour to people who want to create an account, across all replicas.',
    { default: 1_000, minimum: 1, maximum: 1_000_000, unit: 'emails' }
  ),
  TERMS_VERSION: Type.Optional(text(
    'Version of the terms at `TERMS_URL`, such as `2026-11-01`. If set, people must accept the terms to create an account; the version and the time are stored.',
    'be at most 50 letters, digits and . _ -',
    { pattern: '^[A-Za-z0-9._-]{1,50}$' }
  ))
}

type Settings = Static<TObject<typeof signUpSettings>> & {
  readonly ENVIRONMENT: string
  readonly HOST: string
  readonly ISSUER?: string
  readonly SMTP_URL?: string
  readonly TERMS_URL?: string
}

/** Rules of {@link signUpSettings}. */
export const signUpRules = {
  relations: [
    {
      names: ['SIGN_UP', 'SMTP_URL', 'ENVIRONMENT', 'HOST', 'ISSUER'],
      whyNot: ({ SIGN_UP, SMTP_URL, ENVIRONMENT, HOST, ISSUER = 'http://localhost' }) => {
        const isShown = ENVIRONMENT !== 'production' && [HOST, new URL(ISSUER).hostname].every(isLoopback)
        return SIGN_UP === 'off' || SMTP_URL !== undefined || isShown
          ? null
          : `SIGN_UP=${SIGN_UP} sends email. Set SMTP_URL to a mail server, or remove SIGN_UP.`
      }
    },
    {
      names: ['TERMS_VERSION', 'TERMS_URL'],
      whyNot: ({ TERMS_VERSION: version, TERMS_URL: url }) => version !== undefined && url === undefined
        ? 'TERMS_URL is missing. Set it to the address of the terms that TERMS_VERSION is about.'
        : null
    }
  ]
} satisfies SettingsRules<Settings>

export interface SignUpConfig {
  /** Whether people can create an account, and whether they need an invitation code. */
  readonly signUp: 'off' | 'code' | 'open'
  /** Maximum emails to these people in an hour. */
  readonly signUpEmails: number
  /** The terms that these people must accept; `undefined`: none. */
  readonly terms: { readonly url: string, readonly version: string } | undefined
}

export function readSignUp (
  { SIGN_UP: signUp, SIGN_UP_EMAILS: signUpEmails, TERMS_VERSION: version, TERMS_URL: url }: Omit<Settings, 'ENVIRONMENT' | 'HOST'>
): SignUpConfig {
  return { signUp, signUpEmails, terms: version === undefined || url === undefined ? undefined : { url, version } }
}
