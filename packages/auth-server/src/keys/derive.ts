import { hkdfSync } from 'node:crypto'

/** A 256-bit key for one purpose, derived from SECRET_KEY (HKDF, RFC 5869). */
export function deriveKey (
  secretKey: string,
  purpose: 'client secrets' | 'consent form' | 'DPoP nonces' | 'password links' | 'pushed requests' | 'signing keys'
): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `frontdesk ${purpose}`, 32))
}
