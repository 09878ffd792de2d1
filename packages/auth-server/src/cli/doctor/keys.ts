import type { Config } from '../../config.js'
import { findings, type Finding } from '../../diagnosis/generated/finding.js'
import { deriveKey } from '../../keys/derive.js'
import { unseal } from '../../keys/seal.js'
import type { StoredKey } from '../../stores/signing-keys.js'

/** Whether the signing keys can be used. @returns their ids */
export async function * checkKeys (keys: readonly StoredKey[], { secretKey, signingAlg }: Config): AsyncGenerator<Finding, string[]> {
  const { ok, warning, wrong } = findings('keys')
  const sealingKey = deriveKey(secretKey, 'signing keys')
  const locked: string[] = []
  for (const { kid, privateJwe } of keys) {
    await unseal(privateJwe, sealingKey).catch(() => { locked.push(kid) })
  }
  if (locked.length > 0) {
    yield wrong(`SECRET_KEY does not open ${locked.length} of ${keys.length} signing keys: it is not the one that they were made with.`, 'Set the SECRET_KEY that they were made with.')
  } else if (!keys.some(({ alg }) => alg === signingAlg)) {
    yield warning(`There is no key for ${signingAlg} yet.`, 'The server makes one when it starts. If there should be one, mend DATABASE_URL or SIGNING_ALG.')
  } else {
    yield ok(`A key signs with ${signingAlg}, and SECRET_KEY opens every key (${keys.length} in all).`)
  }
  return keys.map(({ kid }) => kid)
}
