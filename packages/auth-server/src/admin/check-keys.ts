import type { Config } from '../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { reason, type Reason } from '../languages/reason.js'
import { deriveKey, unseal } from '../keys/seal.js'
import { findSigner } from '../keys/life-cycle.js'
import { DAY_MS } from '../lifetimes.js'
import type { StoredKey } from '../stores/operation/signing-keys.js'

/**
 * Checks that the signing keys can be decrypted and are rotated.
 * @param stored the keys of access tokens
 * @param idTokens the keys of ID tokens
 * @returns the ids of the published keys
 */
export async function * checkKeys (
  stored: readonly StoredKey[],
  idTokens: readonly StoredKey[],
  { secretKey, previousSecretKey, signingAlg, keyRotation }: Config,
  now = Date.now()
): AsyncGenerator<Finding<Reason>, string[]> {
  const { ok, warning, wrong } = findings<Reason>('keys')
  const own = stored.filter(({ retiredAt }) => retiredAt === null)
  const keys = [...own, ...idTokens.filter(({ retiredAt }) => retiredAt === null)]
  const [current, previous] = [await decryptedBy(keys, secretKey), await decryptedBy(keys, previousSecretKey)]
  const locked = keys.filter(({ kid }) => !current.includes(kid) && !previous.includes(kid))
  if (locked.length > 0) {
    yield wrong(reason('finding.keys-locked', { count: locked.length, all: keys.length }), reason('finding.keys-locked.remedy'))
  } else if (!own.some(({ alg }) => alg === signingAlg)) {
    yield warning(reason('finding.keys-none', { alg: signingAlg }), reason('finding.keys-none.remedy'))
  } else if (current.length < keys.length) {
    const counts = { count: keys.length - current.length, all: keys.length }
    yield warning(reason('finding.keys-previous', counts), reason('finding.keys-previous.remedy'))
  } else {
    const signer = findSigner(own, new Date(now))
    yield signer === undefined
      ? warning(reason('finding.keys-idle'), reason('finding.keys-idle.remedy'))
      : ok(reason('finding.keys-ok', { alg: signer.alg, age: inDays(now - signer.createdAt.getTime()), count: keys.length }))
    if (previousSecretKey !== undefined) {
      yield warning(reason('finding.keys-unused'), reason('finding.keys-unused.remedy'))
    }
  }
  const age = now - Math.max(...own.map(({ createdAt }) => createdAt.getTime()))
  if (keyRotation !== undefined && own.length > 0 && age > keyRotation + DAY_MS) {
    yield warning(reason('finding.keys-old', { age: inDays(age), rotation: inDays(keyRotation) }), reason('finding.keys-old.remedy'))
  }
  return keys.map(({ kid }) => kid)
}

function inDays (milliseconds: number): Reason {
  return reason('finding.days', { days: Math.floor(milliseconds / DAY_MS) })
}

async function decryptedBy (keys: readonly StoredKey[], secret: string | undefined): Promise<string[]> {
  if (secret === undefined) return []
  const sealingKey = deriveKey(secret, 'signing keys')
  const open = async ({ kid, privateJwe }: StoredKey) => await unseal(privateJwe, sealingKey).then(() => kid, () => null)
  return (await Promise.all(keys.map(open))).filter(kid => kid !== null)
}
