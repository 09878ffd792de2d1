import { ACRS, type Acr } from '@frontdesk/schemas/acr'
import { isRemoteHttp, parseHttpUrl } from '@frontdesk/service-kit/address'
import { hostSetting, portSetting } from '@frontdesk/service-kit/server-settings'
import { oneOf, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Settings of the administration console and API. */
export const adminSettings = {
  ADMIN: text(
    '`true` turns on the administration console, at `/admin`, and the administration API, at `/admin/api`.',
    'be true or false',
    { pattern: '^(true|false)$', default: 'false' }
  ),
  ADMIN_PORT: Type.Optional(portSetting('Separate port for `/admin`, which is then not served on `PORT`. Requires `ADMIN_URL`.')),
  ADMIN_HOST: hostSetting('Address on which `ADMIN_PORT` listens.'),
  ADMIN_URL: Type.Optional(text(
    'Public address of `ADMIN_PORT`, without a trailing slash, in the same form as `ISSUER`.',
    'be an http or https address without a user name, query, fragment or trailing slash',
    { pattern: '^https?://[^/]+(/[A-Za-z0-9._~-]+)*$' }
  )),
  ADMIN_ACR: Type.Optional(oneOf(
    'Minimum `acr` of the sign-in for sensitive actions in `/admin`, such as `urn:frontdesk:acr:mfa` for a second factor.', ACRS, null
  ))
}

type Settings = Static<TObject<typeof adminSettings>> & {
  readonly ENVIRONMENT: string
  readonly PORT: number
  readonly ISSUER?: string
  readonly DEFAULT_AUDIENCE?: string
}

/** Rules of {@link adminSettings}. */
export const adminRules = {
  forms: { ADMIN_URL: (url: string) => parseHttpUrl(url) !== undefined },
  relations: [
    {
      names: ['ADMIN_PORT', 'ADMIN_URL'],
      whyNot: ({ ADMIN_PORT: port, ADMIN_URL: url }) => (port === undefined) === (url === undefined)
        ? null
        : 'ADMIN_PORT and ADMIN_URL belong together. Set both, or remove both.'
    },
    {
      names: ['ADMIN_PORT', 'PORT'],
      whyNot: ({ ADMIN_PORT, PORT }) => ADMIN_PORT === PORT ? 'ADMIN_PORT must be another port than PORT.' : null
    },
    {
      names: ['ADMIN_URL', 'ENVIRONMENT'],
      whyNot: ({ ADMIN_URL: url, ENVIRONMENT }) =>
        ENVIRONMENT === 'production' && url !== undefined && isRemoteHttp(url)
          ? 'ADMIN_URL must be https in production, except on loopback.'
          : null
    },
    {
      names: ['ADMIN_URL', 'ISSUER'],
      whyNot: ({ ADMIN_URL, ISSUER }) => ADMIN_URL !== undefined && ISSUER !== undefined && isBelow(ISSUER, `${ADMIN_URL}/admin`)
        ? 'The path of ISSUER must not be below /admin of ADMIN_URL.'
        : null
    },
    {
      names: ['DEFAULT_AUDIENCE', 'ADMIN'],
      whyNot: settings => settings.DEFAULT_AUDIENCE !== undefined && settings.DEFAULT_AUDIENCE === audienceOf(settings)
        ? 'DEFAULT_AUDIENCE must not be the administration API.'
        : null
    }
  ]
} satisfies SettingsRules<Settings>

/** Configuration of the administration console and API. */
export interface AdminConfig {
  /** Identifier of the administration API, the `aud` of its tokens; `undefined` if the API is off. */
  readonly adminAudience: string | undefined
  /** Public address that serves `/admin`, without that path. */
  readonly adminUrl: string
  /** Where `/admin` listens; `undefined`: on the public port. */
  readonly adminListener: { readonly host: string, readonly port: number } | undefined
  /** Minimum `acr` of the sign-in for sensitive actions; `undefined`: any. */
  readonly adminAcr: Acr | undefined
}

export function readAdmin (settings: Omit<Settings, 'ENVIRONMENT'>, issuer: string): AdminConfig {
  const { ADMIN_PORT: port, ADMIN_HOST: host } = settings
  const adminAudience = audienceOf({ ...settings, ISSUER: issuer })
  return {
    adminAudience,
    adminUrl: settings.ADMIN_URL ?? issuer,
    adminListener: adminAudience === undefined || port === undefined ? undefined : { host, port },
    adminAcr: settings.ADMIN_ACR
  }
}

/** Path of the console, without a trailing slash. */
export function adminPathOf ({ adminUrl }: Pick<AdminConfig, 'adminUrl'>): string {
  return `${new URL(adminUrl).pathname.replace(/\/$/, '')}/admin`
}

function isBelow (url: string, other: string): boolean {
  const [path, start] = [url, other].map(it => `${new URL(it).pathname.replace(/\/$/, '')}/`)
  return path!.startsWith(start!)
}

function audienceOf ({ ADMIN, ADMIN_URL, ISSUER = '' }: Pick<Settings, 'ADMIN' | 'ADMIN_URL' | 'ISSUER'>): string | undefined {
  return ADMIN === 'true' ? `${ADMIN_URL ?? ISSUER}/admin/api` : undefined
}
