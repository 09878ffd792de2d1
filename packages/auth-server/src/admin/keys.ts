import { quote } from '@frontdesk/service-kit/showable'
import type { Config } from '../config.js'
import { openKeyRing } from '../keys/key-ring.js'
import { describeKeys, type KeyDescription } from '../keys/life-cycle.js'
import { ID_TOKEN_ALGS } from '../oauth/id-token-algs.js'
import type { SigningKeys } from '../stores/operation/signing-keys.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { conflict, unknown } from './refusal.js'
import { reason } from '../languages/reason.js'
import { suggested } from './suggested.js'

type KeyStores = Pick<Stores, 'signingKeys' | 'idTokenKeys'> & Recording

/** Keys that replace each other, and what they sign. */
interface KeySet {
  readonly signs: 'access tokens' | 'ID tokens'
  /** Default: that of the settings. */
  readonly alg?: typeof ID_TOKEN_ALGS[number]
  readonly keys: SigningKeys
}

/** A key, its state and what it signs. */
export type DescribedKey = KeyDescription & Pick<KeySet, 'signs'>

/** The keys of access tokens, then those of ID tokens, by algorithm. */
export async function keySets ({ signingKeys, idTokenKeys }: Pick<Stores, 'signingKeys' | 'idTokenKeys'>): Promise<KeySet[]> {
  const made = await idTokenKeys.algsWithKeys()
  return [
    { signs: 'access tokens', keys: signingKeys },
    ...ID_TOKEN_ALGS.filter(alg => made.includes(alg)).map(alg => ({ signs: 'ID tokens', alg, keys: idTokenKeys.of(alg) } as const))
  ]
}

/** All signing keys, oldest first: those of access tokens, then those of ID tokens. */
export async function listKeys (stores: Pick<Stores, 'signingKeys' | 'idTokenKeys'>): Promise<DescribedKey[]> {
  const now = await stores.signingKeys.now()
  const lists = await Promise.all((await keySets(stores)).map(async ({ signs, keys }) => ({ signs, keys: await keys.list() })))
  return lists.flatMap(({ signs, keys }) => describeKeys(keys, now).map(key => ({ ...key, signs })))
}

/**
 * Makes a signing key, or one for each algorithm of ID tokens.
 * @param delay milliseconds until it signs
 * @throws Refusal if no key signs ID tokens yet; Error if the existing keys were made with another `SECRET_KEY`
 */
export async function rotateKeys (
  stores: KeyStores, { config, idTokens, delay }: { config: Config, idTokens: boolean, delay: number }, by: Actor
): Promise<DescribedKey[]> {
  const signs: KeySet['signs'] = idTokens ? 'ID tokens' : 'access tokens'
  const sets = (await keySets(recorded(stores, 'keys rotate', kid => ({ details: { kid } }), by))).filter(it => it.signs === signs)
  if (sets.length === 0) throw conflict('idTokens', reason('reason.key-none-id-tokens'))
  const rings = await Promise.all(sets.map(({ alg, keys }) => openKeyRing(keys, { ...config, signingAlg: alg ?? config.signingAlg })))
  const made: DescribedKey[] = []
  for (const ring of rings) {
    const kid = await ring.rotate(delay)
    made.push(...ring.describe().filter(key => key.kid === kid).map(key => ({ ...key, signs })))
  }
  return made
}

/** Retires a key early. @throws Refusal as {@link findRetirable} */
export async function retireKey (stores: KeyStores, kid: string, by: Actor): Promise<{ key: DescribedKey, wasRetired: boolean }> {
  const { signs, keys, now } = await findRetirable(recorded(stores, 'keys retire', { details: { kid } }, by), kid)
  const isRetired = await keys.retire(kid, now)
  const key = describeKeys(await keys.list(), now).find(key => key.kid === kid)
  if (key?.state !== 'retired') {
    throw conflict('kid', reason('reason.key-race'))
  }
  return { key: { ...key, signs }, wasRetired: !isRetired }
}

/** Finds the set of a key that can be retired. @throws Refusal if there is no such key, or no other one signs */
export async function findRetirable (stores: Pick<Stores, 'signingKeys' | 'idTokenKeys'>, kid: string): Promise<KeySet & { now: Date }> {
  const sets = await Promise.all((await keySets(stores)).map(async set => ({ set, all: await set.keys.list() })))
  const found = sets.find(({ all }) => all.some(key => key.kid === kid))
  if (found === undefined) {
    const known = sets.flatMap(({ all }) => all.map(key => key.kid))
    throw unknown('kid', suggested(reason('reason.unknown-key', { kid: quote(kid) }), kid, known))
  }
  const now = await found.set.keys.now()
  if (!found.all.some(key => key.kid !== kid && key.retiredAt === null && key.signsFrom <= now)) {
    throw conflict(found.set.signs, reason('reason.key-only'))
  }
  return { ...found.set, now }
}
