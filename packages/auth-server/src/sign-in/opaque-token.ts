import { createHash, randomBytes } from 'node:crypto'

/** A value that nobody can guess: 256 bits, base64url. */
export function randomOpaqueToken (): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of an opaque value: SHA-256, base64url. */
export function hashOpaqueToken (value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
