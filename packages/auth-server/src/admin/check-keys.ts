import type { Config } from '../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
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
): AsyncGenerator<Finding, string[]> {
  const { ok, warning, wrong } = findings('keys')
  const own = stored.filter(({ retiredAt }) => retiredAt === null)
  const keys = [...own, ...idTokens.filter(({ retiredAt }) => retiredAt === null)]
  const [current, previous] = [await decryptedBy(keys, secretKey), await decryptedBy(keys, previousSecretKey)]
  const locked = keys.filter(({ kid }) => !current.includes(kid) && !previous.includes(kid))
  if (locked.length > 0) {
    yield wrong(`SECRET_KEY does not decrypt ${locked.length} of ${keys.length} signing keys: they were encrypted with another.`,
      'Set the SECRET_KEY that they were encrypted with.')
  } else if (!own.some(({ alg }) => alg === signingAlg)) {
    yield warning(`There is no key for ${signingAlg} yet.`,
      'The server makes one when it starts. If there should be one, check DATABASE_URL and SIGNING_ALG.')
  } else if (current.length < keys.length) {
    yield warning(`${keys.length - current.length} of ${keys.length} signing keys are still protected with SECRET_KEY_PREVIOUS.`,
      'Start a replica with these settings: it re-encrypts them.')
  } else {
    const signer = findSigner(own, new Date(now))
    yield signer === undefined
      ? warning('No key is signing now.', 'To see when one will: frontdesk-auth keys list. The server makes one when it starts.')
      : ok(
          `The signing key is for ${signer.alg} and ${inDays(now - signer.createdAt.getTime())} old, ` +
            `and SECRET_KEY decrypts every key (${keys.length} in all).`
      )
    if (previousSecretKey !== undefined) {
      yield warning('SECRET_KEY_PREVIOUS is set, but no key needs it.', 'Remove it once every replica runs with the new SECRET_KEY.')
    }
  }
  const age = now - Math.max(...own.map(({ createdAt }) => createdAt.getTime()))
  if (keyRotation !== undefined && own.length > 0 && age > keyRotation + DAY_MS) {
    yield warning(`The newest key is ${inDays(age)} old, but KEY_ROTATION is ${inDays(keyRotation)}: no replica has created another.`,
      'Check that auth-server is running, and look for signing keys in its log.')
  }
  return keys.map(({ kid }) => kid)
}

function inDays (milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS)
  return days === 1 ? '1 day' : `${days} days`
}

async function decryptedBy (keys: readonly StoredKey[], secret: string | undefined): Promise<string[]> {
  if (secret === undefined) return []
  const sealingKey = deriveKey(secret, 'signing keys')
  const open = async ({ kid, privateJwe }: StoredKey) => await unseal(privateJwe, sealingKey).then(() => kid, () => null)
  return (await Promise.all(keys.map(open))).filter(kid => kid !== null)
}
