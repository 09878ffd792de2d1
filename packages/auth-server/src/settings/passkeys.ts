import { parseHttpUrl } from '@frontdesk/service-kit/address'
import { parseList, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Settings of passkeys. */
export const passkeySettings = {
  RP_ID: Type.Optional(text(
    'Domain that passkeys belong to (WebAuthn RP ID): the host of `ISSUER`, or a parent domain. Default: the host of `ISSUER`. A change makes existing passkeys unusable.',
    'be the host of ISSUER or a parent domain, such as example.com',
    { pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*$' }
  )),
  RELATED_ORIGINS: text(
    'Comma-separated origins outside of `RP_ID` that can use its passkeys, such as `https://example.de` (WebAuthn related origins). Served at `/.well-known/webauthn`.',
    'be a comma-separated list of https origins, such as https://example.de',
    { default: '' }
  )
}

type Settings = Static<TObject<typeof passkeySettings>> & { readonly ISSUER?: string }

/** Rules of {@link passkeySettings}. */
export const passkeyRules = {
  forms: { RELATED_ORIGINS: (list: string) => parseList(list).every(isHttpsOrigin) },
  relations: [
    {
      names: ['RP_ID', 'RELATED_ORIGINS', 'ISSUER'],
      whyNot: ({ RP_ID: rpId, RELATED_ORIGINS: related, ISSUER: issuer = 'http://localhost' }) => {
        const { hostname, origin } = new URL(issuer)
        if (rpId === undefined || `.${hostname}`.endsWith(`.${rpId}`) || parseList(related).includes(origin)) return null
        return 'RP_ID must be the host of ISSUER or a parent domain, or RELATED_ORIGINS must contain the origin of ISSUER ' +
          '(WebAuthn Level 3 §5.1.3, §5.11).'
      }
    }
  ]
} satisfies SettingsRules<Settings>

export interface PasskeyConfig {
  /** Domain that passkeys belong to. */
  readonly rpId: string
  /** Origins outside of this domain that can use them. */
  readonly relatedOrigins: readonly string[]
}

export function readPasskeys (
  { RP_ID: rpId, RELATED_ORIGINS: related }: Pick<Settings, 'RP_ID' | 'RELATED_ORIGINS'>, issuer: string
): PasskeyConfig {
  return { rpId: rpId ?? new URL(issuer).hostname, relatedOrigins: parseList(related) }
}

function isHttpsOrigin (text: string): boolean {
  return text.startsWith('https://') && parseHttpUrl(text)?.origin === text
}
