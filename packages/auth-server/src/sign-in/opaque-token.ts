import { createHash, randomBytes } from 'node:crypto'

/** A random token with 256 bits, base64url. */
export function randomOpaqueToken (): string {
  return randomBytes(32).toString('base64url')
}

/** The stored hash of an opaque token: SHA-256, base64url. */
export function hashOpaqueToken (value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
