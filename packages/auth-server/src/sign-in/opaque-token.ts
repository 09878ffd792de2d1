import { hash, randomBytes } from 'node:crypto'

/** A random token with 256 bits, base64url. */
export function randomOpaqueToken (): string {
  return randomBytes(32).toString('base64url')
}

/** The stored hash of an opaque token: SHA-256, base64url. */
export function hashOpaqueToken (value: string): string {
  return hash('sha256', value, 'base64url')
}
