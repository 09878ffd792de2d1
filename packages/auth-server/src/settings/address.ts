import { isLoopback, parseHttpUrl } from '@frontdesk/service-kit/address'
import { text } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** The public address. */
export const issuerSettings = {
  ISSUER: Type.Optional(text(
    'Public address of this server, without a trailing slash. It can have a path.',
    'be an http or https address without a user name, query, fragment or trailing slash (RFC 8414 §2); its path can have letters, digits and . _ ~ -',
    { pattern: '^https?://[^/]+(/[A-Za-z0-9._~-]+)*$' }
  ))
}

/** Where requests of the server can go. */
export const networkSettings = {
  ALLOW_PRIVATE_NETWORKS: Type.Optional(text(
    '`true` allows addresses in private networks for apps\' endpoints that this server calls. Default: `false`, but `true` in development if `ISSUER` is loopback.',
    'be true or false', { pattern: '^(true|false)$' }
  ))
}

/** Checks of single settings. */
export const addressForms = { ISSUER: (issuer: string) => parseHttpUrl(issuer) !== undefined }

export interface AddressConfig {
  readonly issuer: string
  /** Whether this is a development with a loopback issuer: programs on loopback are then the developer's own. */
  readonly isLocal: boolean
  /** Whether clients' endpoints that this server calls can be in private networks. */
  readonly allowPrivateNetworks: boolean
}

type Settings = Static<TObject<typeof issuerSettings & typeof networkSettings>> & { readonly PORT: number, readonly ENVIRONMENT: string }

export function readAddress ({ ISSUER, PORT, ENVIRONMENT, ALLOW_PRIVATE_NETWORKS: allow }: Settings): AddressConfig {
  const issuer = ISSUER ?? `http://localhost:${PORT}`
  const isLocal = ENVIRONMENT !== 'production' && isLoopback(new URL(issuer).hostname)
  return { issuer, isLocal, allowPrivateNetworks: allow === undefined ? isLocal : allow === 'true' }
}
