import type { JWK } from 'jose'
import { randomBytes } from 'node:crypto'
import type { AuditSeals } from '../stores/operation/audit-seals.js'
import { deriveKeys, seal, unseal, type Secrets } from './seal.js'

/** The key of the audit trail's seals cannot be decrypted. */
export class LockedAuditKeyError extends Error {
  constructor () {
    super('The key of the audit trail\'s seals cannot be opened: SECRET_KEY is not the one it was made with. Set that one.')
  }
}

/**
 * Opens the key of the audit trail's seals, or creates it. It is random and encrypted under SECRET_KEY, so that seals stay valid when
 * SECRET_KEY is rotated. Atomic: concurrent processes use the same key. @throws LockedAuditKeyError
 */
export async function openAuditKey (store: AuditSeals['key'], secrets: Secrets): Promise<Uint8Array> {
  const [current] = deriveKeys(secrets, 'audit seals')
  if (await store.read() === null) await store.add(await seal({ kty: 'oct', k: randomBytes(32).toString('base64url') }, current))
  // as: there is one now, from here or from another process.
  const jwe = (await store.read())!
  const { jwk, isPrevious } = await decrypt(jwe, secrets)
  if (isPrevious) await store.replace(jwe, await seal(jwk, current))
  return bytesOf(jwk)
}

/** Reads the key; `null` if there is none. @throws LockedAuditKeyError */
export async function readAuditKey (store: AuditSeals['key'], secrets: Secrets): Promise<Uint8Array | null> {
  const jwe = await store.read()
  return jwe === null ? null : bytesOf((await decrypt(jwe, secrets)).jwk)
}

async function decrypt (jwe: string, secrets: Secrets): Promise<{ jwk: JWK, isPrevious: boolean }> {
  for (const [index, key] of deriveKeys(secrets, 'audit seals').entries()) {
    const jwk = await unseal(jwe, key).catch(() => null)
    if (jwk !== null) return { jwk, isPrevious: index > 0 }
  }
  throw new LockedAuditKeyError()
}

function bytesOf ({ k = '' }: JWK): Uint8Array {
  return Buffer.from(k, 'base64url')
}
