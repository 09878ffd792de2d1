import { text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Settings of passkeys. */
export const passkeySettings = {
  RP_ID: Type.Optional(text(
    'Domain that passkeys belong to (WebAuthn RP ID): the host of `ISSUER`, or a parent domain. Default: the host of `ISSUER`. A change makes existing passkeys unusable.',
    'be the host of ISSUER or a parent domain, such as example.com',
    { pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*$' }
  ))
}

type Settings = Static<TObject<typeof passkeySettings>> & { readonly ISSUER?: string }

/** Rules of {@link passkeySettings}. */
export const passkeyRules = {
  relations: [
    {
      names: ['RP_ID', 'ISSUER'],
      whyNot: ({ RP_ID: rpId, ISSUER: issuer = 'http://localhost' }) =>
        rpId === undefined || `.${new URL(issuer).hostname}`.endsWith(`.${rpId}`)
          ? null
          : 'RP_ID must be the host of ISSUER or a parent domain (WebAuthn Level 3 §5.1.3).'
    }
  ]
} satisfies SettingsRules<Settings>

export interface PasskeyConfig {
  /** Domain that passkeys belong to. */
  readonly rpId: string
}

export function readPasskeys ({ RP_ID: rpId }: Pick<Settings, 'RP_ID'>, issuer: string): PasskeyConfig {
  return { rpId: rpId ?? new URL(issuer).hostname }
}
