import { isRemoteHttp, parseHttpUrl } from '@frontdesk/service-kit/address'
import { parseList, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { UNSHOWABLE } from '@frontdesk/service-kit/showable'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Settings of the upstream OpenID Provider. */
export const upstreamSettings = {
  UPSTREAM_ISSUER: Type.Optional(text(
    'Issuer of an upstream OpenID Provider with which users can sign in. Without it, they sign in only here. Its callback is `ISSUER` with `/upstream/callback`.',
    'be the https issuer of an OpenID Provider, exactly as its metadata has it; http is only for loopback'
  )),
  UPSTREAM_NAME: Type.Optional(text(
    'Name of the upstream provider on pages, as in "Sign in with Example".', 'have 1 to 40 characters, without control characters'
  )),
  UPSTREAM_CLIENT_ID: Type.Optional(text('`client_id` of this server at the upstream provider.', 'be the client_id there')),
  UPSTREAM_CLIENT_SECRET: Type.Optional(text(
    'Secret of this server at the upstream provider.', 'be the client secret there', { secret: 'all' }
  )),
  UPSTREAM_DOMAINS: text(
    'Comma-separated domains whose users the upstream provider vouches for: users with a verified email address there get an account at their first sign-in. Default: none.',
    'be a comma-separated list of domains in lower case, such as example.com; an internationalized one in punycode',
    { default: '' }
  )
}

type Settings = Static<TObject<typeof upstreamSettings>> & { readonly ISSUER?: string }

const REQUIRED = ['UPSTREAM_ISSUER', 'UPSTREAM_NAME', 'UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET'] as const

/** Rules of {@link upstreamSettings}. */
export const upstreamRules = {
  forms: {
    UPSTREAM_NAME: (name: string) => [...name.trim()].length > 0 && [...name].length <= 40 && !UNSHOWABLE.test(name),
    UPSTREAM_ISSUER: (issuer: string) => parseHttpUrl(issuer) !== undefined && !isRemoteHttp(issuer),
    UPSTREAM_DOMAINS: (list: string) => parseList(list).every(it => /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(it))
  },
  relations: [
    ...REQUIRED.map(name => ({
      names: [name],
      whyNot: (settings: Settings) => {
        const given = [...REQUIRED, 'UPSTREAM_DOMAINS' as const].find(it => (settings[it] ?? '') !== '')
        return settings[name] === undefined && given !== undefined
          ? `${name} is missing. Users can sign in with an upstream provider only if ${REQUIRED.join(', ')} are set; ${given} is.`
          : null
      }
    })),
    {
      names: ['UPSTREAM_ISSUER', 'ISSUER'] as const,
      whyNot: ({ UPSTREAM_ISSUER: upstream, ISSUER: issuer }: Settings) =>
        upstream !== undefined && upstream === issuer ? 'UPSTREAM_ISSUER must be another server than ISSUER.' : null
    }
  ]
} satisfies SettingsRules<Settings>

/** The upstream OpenID Provider. */
export interface Upstream {
  readonly issuer: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  /** Domains whose users get an account. */
  readonly domains: readonly string[]
}

export interface UpstreamConfig {
  /** `undefined`: users sign in only here. */
  readonly upstream: Upstream | undefined
}

/** Converts settings that {@link upstreamRules} accept. */
export function readUpstream (settings: Static<TObject<typeof upstreamSettings>>): UpstreamConfig {
  const { UPSTREAM_ISSUER: issuer, UPSTREAM_NAME: name, UPSTREAM_CLIENT_ID: clientId, UPSTREAM_CLIENT_SECRET: clientSecret } = settings
  if (issuer === undefined || name === undefined || clientId === undefined || clientSecret === undefined) {
    return { upstream: undefined }
  }
  return { upstream: Object.freeze({ issuer, name, clientId, clientSecret, domains: parseList(settings.UPSTREAM_DOMAINS) }) }
}
