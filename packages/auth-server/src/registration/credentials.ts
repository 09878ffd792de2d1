import type { Client } from '../oauth/client.js'

/** Whether an app authenticates with a secret. */
export function hasSecret ({ tokenEndpointAuthMethod }: Pick<Client, 'tokenEndpointAuthMethod'>): boolean {
  return /^client_secret_/.test(tokenEndpointAuthMethod)
}

/** Whether these are public keys (RFC 7517 §4). */
export function arePublic (keys: unknown): boolean {
  return Array.isArray(keys) && keys.length > 0 && keys.every(isPublic)
}

/** RFC 7518 §6: `d` is private, `k` a secret. */
function isPublic (key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && !('d' in key) && !('k' in key)
}
