import { webcrypto } from 'node:crypto'

/** How many keys of a kind there are: more than a test makes, as two of one database must differ. */
const KEYS = 4

/** Of `crypto.subtle`, what makes key pairs. */
type GenerateKey = (
  algorithm: webcrypto.RsaHashedKeyGenParams | string, extractable: boolean, usages: webcrypto.KeyUsage[]
) => Promise<webcrypto.CryptoKeyPair>

/**
 * From now on, this process makes a few RSA keys of each kind and then takes turns with them: to find the primes of one takes
 * a seventh of a second of CPU, and a test that issues ID tokens needs a key.
 */
export function reuseRsaKeys (): void {
  // as: the overload with key pairs, the only one that is called here.
  const generateKey = webcrypto.subtle.generateKey.bind(webcrypto.subtle) as GenerateKey
  const made = new Map<string, Array<Promise<webcrypto.CryptoKeyPair>>>()
  const reuse: GenerateKey = async (...kind) => {
    const [algorithm] = kind
    if (typeof algorithm === 'string' || !algorithm.name.startsWith('RSA')) return await generateKey(...kind)
    const name = JSON.stringify(kind)
    const keys = made.get(name) ?? []
    made.set(name, keys)
    const key = keys.length < KEYS ? generateKey(...kind) : keys.shift()!
    keys.push(key)
    return await key
  }
  Object.assign(webcrypto.subtle, { generateKey: reuse })
}
