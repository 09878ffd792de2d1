import { text } from '@frontdesk/service-kit/settings'
import { Type } from '@sinclair/typebox'

/** The setting. */
export const privateNetworksSetting = Type.Optional(text(
  '`true` allows webhooks in private networks. Default: `false`, but `true` in development.', 'be true or false', { pattern: '^(true|false)$' }
))

/** Reads the setting. */
export function arePrivateNetworksAllowed (settings: { ALLOW_PRIVATE_NETWORKS?: string, ENVIRONMENT: string }): boolean {
  return settings.ALLOW_PRIVATE_NETWORKS === undefined ? settings.ENVIRONMENT === 'development' : settings.ALLOW_PRIVATE_NETWORKS === 'true'
}
