import type { JWK } from 'jose'
import { randomBytes } from 'node:crypto'
import type { StoredDataKey } from '../stores/data-key.js'
import { deriveKeys, seal, unseal, type Secrets } from './seal.js'

/** The data keys, and how messages call them. */
const NAMES = { 'audit seals': 'The key of the audit trail\'s seals', factors: 'The key of the authenticator apps' } as const

type Purpose = keyof typeof NAMES

/** A data key cannot be decrypted. */
export class LockedDataKeyError extends Error {
  constructor (purpose: Purpose) {
    super(`${NAMES[purpose]} cannot be opened: SECRET_KEY is not the one it was made with. Set that one.`)
  }
}

/**
 * Opens a data key, or creates it. It is random and encrypted under SECRET_KEY, so that what was made with it stays valid when SECRET_KEY
 * is rotated. Atomic: concurrent processes use the same key. @throws LockedDataKeyError
 */
export async function openDataKey (store: StoredDataKey, secrets: Secrets, purpose: Purpose): Promise<Uint8Array> {
  const [current] = deriveKeys(secrets, purpose)
  const create = async () => {
    await store.add(await seal({ kty: 'oct', k: randomBytes(32).toString('base64url') }, current))
    // as: there is one now, from here or from another process.
    return (await store.read())!
  }
  const jwe = await store.read() ?? await create()
  const { jwk, isPrevious } = await decrypt(jwe, secrets, purpose)
  if (isPrevious) await store.replace(jwe, await seal(jwk, current))
  return bytesOf(jwk)
}

/** Reads a data key; `null` if there is none. @throws LockedDataKeyError */
export async function readDataKey (store: StoredDataKey, secrets: Secrets, purpose: Purpose): Promise<Uint8Array | null> {
  const jwe = await store.read()
  return jwe === null ? null : bytesOf((await decrypt(jwe, secrets, purpose)).jwk)
}

async function decrypt (jwe: string, secrets: Secrets, purpose: Purpose): Promise<{ jwk: JWK, isPrevious: boolean }> {
  for (const [index, key] of deriveKeys(secrets, purpose).entries()) {
    const jwk = await unseal(jwe, key).catch(() => null)
    if (jwk !== null) return { jwk, isPrevious: index > 0 }
  }
  throw new LockedDataKeyError(purpose)
}

function bytesOf ({ k = '' }: JWK): Uint8Array {
  return Buffer.from(k, 'base64url')
}
