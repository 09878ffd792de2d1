import { createHmac } from 'node:crypto'
import { deriveKeys, type Secrets } from '../keys/seal.js'
import type { Client } from '../oauth/client.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientSecret, FirstSecret } from '../stores/clients/client-secrets.js'

/** Whether a client authenticates with a secret. */
export function hasSecret ({ tokenEndpointAuthMethod }: Pick<Client, 'tokenEndpointAuthMethod'>): boolean {
  return /^client_secret_/.test(tokenEndpointAuthMethod)
}

/** The stored form of a secret. */
export function storedSecret (secret: string, createdAt: Date): NonNullable<FirstSecret> {
  return { hash: hashOpaqueToken(secret), createdAt }
}

/** Whether these are public keys (RFC 7517 §4). */
export function arePublic (keys: unknown): boolean {
  return Array.isArray(keys) && keys.length > 0 && keys.every(isPublic)
}

/** RFC 7518 §6: `d` is private, `k` a secret. */
function isPublic (key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && !('d' in key) && !('k' in key)
}

/**
 * The secrets of self-registered clients. They are derived from SECRET_KEY, so that each response about a registration contains the
 * secret (RFC 7592 §3) although only its hash is stored.
 */
export interface RegisteredSecrets {
  /** Derives a secret from its client and time: 256 bits, base64url. */
  make (clientId: string, createdAt: Date): string
  /** A client's secret; `undefined`: it has none, or one that was not derived from the current or the previous SECRET_KEY. */
  find (stored: readonly ClientSecret[]): string | undefined
}

/** Makes {@link RegisteredSecrets}. The previous secret stays valid during a rotation. */
export function createRegisteredSecrets (secrets: Secrets): RegisteredSecrets {
  const keys = deriveKeys(secrets, 'client secrets')
  const derive = (key: Uint8Array, clientId: string, createdAt: Date) =>
    createHmac('sha256', key).update(`${clientId} ${createdAt.getTime()}`).digest('base64url')
  return {
    make: (clientId, createdAt) => derive(keys[0], clientId, createdAt),
    find: stored => stored
      .flatMap(({ clientId, createdAt, hash }) => keys.map(key => ({ secret: derive(key, clientId, createdAt), hash })))
      .find(({ secret, hash }) => hashOpaqueToken(secret) === hash)?.secret
  }
}
