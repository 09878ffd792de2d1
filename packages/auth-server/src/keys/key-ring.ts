import type { Jwks, PublicJwk, SigningAlg } from '@frontdesk/schemas/jwks'
import { isDeepStrictEqual } from 'node:util'
import type { SigningKeys, StoredKey } from '../stores/operation/signing-keys.js'
import { deriveKeys, seal, unseal, type Secrets } from './seal.js'
import { KEPT_AFTER_LAST_USE_MS, ANNOUNCEMENT_MS, describeKeys, findSigner, type KeyDescription } from './life-cycle.js'
import { makeKey, makeSigner, type Signer } from './make-key.js'

/** Options of a key ring. Keys sealed with the previous secret are re-encrypted. */
export interface KeyRingOptions extends Secrets {
  /** Algorithm of new keys. */
  readonly signingAlg: SigningAlg
  /** Age at which a key is rotated, in milliseconds; `undefined`: never. */
  readonly keyRotation?: number | undefined
}

/** The signing keys of this server. Replicas share them through the database. */
export interface KeyRing {
  /** Signs claims with the current key; `typ` goes into the header (RFC 7515 §4.1.9). */
  sign (claims: object, typ: string): string
  /** Whether the current key could be decrypted. */
  canSign (): boolean
  /** The public keys, except retired ones: the same object until they change. */
  jwks (): Jwks
  /** All keys as last read, oldest first. */
  describe (): KeyDescription[]
  /**
   * Reads the keys from the database, makes a new one when it is due, and retires those whose last token has expired.
   * @returns ids of the keys that this call made and retired
   * @throws if the current or next key cannot be decrypted, after it has refreshed the others
   */
  refresh (): Promise<{ made: string[], retired: string[] }>
  /** Makes a key that signs after `delay` milliseconds. Returns its id. */
  rotate (delay: number): Promise<string>
}

/** A key with its signer; `null` if it could not be decrypted. */
type OpenKey = StoredKey & { readonly signer: Signer | null }

/**
 * Opens the key ring. Makes a key if none has the algorithm: the first signs immediately, a later one is announced. Atomic: one of
 * several concurrent processes makes the key, and all use it.
 * @param time the clock that replicas share, extrapolated with the monotonic clock `local`
 * @throws if SECRET_KEY is not the one that the keys were made with
 */
export async function openKeyRing (
  store: SigningKeys,
  options: KeyRingOptions,
  time = () => store.now(),
  local = () => new Date(performance.now())
): Promise<KeyRing> {
  const { signingAlg, keyRotation } = options
  const { unseal, sealingKey } = createUnseal(store, options)
  let keys: OpenKey[] = []
  let ahead = 0
  let jwks: Jwks = { keys: [] }

  const now = () => new Date(local().getTime() + ahead)

  const read = async () => {
    ahead = (await time()).getTime() - local().getTime()
    const opened = new Map(keys.map(({ kid, signer }) => [kid, signer]))
    keys = await Promise.all((await store.list()).map(async key =>
      ({ ...key, signer: key.retiredAt !== null ? null : opened.get(key.kid) ?? await unseal(key) })))
    // as: makeKey stored these.
    const published = keys.filter(({ retiredAt }) => retiredAt === null).map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk)
    if (!isDeepStrictEqual(published, jwks.keys)) jwks = { keys: published }
  }

  const add = async (delay: number): Promise<string | null> => {
    const createdAt = now()
    const generation = (keys.at(-1)?.generation ?? 0) + 1
    const signsFrom = new Date(createdAt.getTime() + delay)
    return await store.add({ ...await makeKey(signingAlg, sealingKey), generation, createdAt, signsFrom })
  }

  const youngest = () => keys.findLast(({ retiredAt }) => retiredAt === null)
  const isOld = ({ createdAt }: StoredKey) => keyRotation !== undefined && now().getTime() - createdAt.getTime() >= keyRotation
  const current = () => findSigner(keys.filter(({ signer }) => signer !== null), now())
  const ring: KeyRing = {
    sign (claims, typ) {
      const key = current()
      if (key?.signer == null) throw new LockedKeys(keys.map(({ kid }) => kid))
      return key.signer(claims, typ)
    },
    canSign: () => current() !== undefined,
    jwks: () => jwks,
    describe: () => describeKeys(keys, now()),
    async refresh () {
      await read()
      const due = youngest()
      const made = due === undefined || isOld(due) ? await add(due === undefined ? 0 : ANNOUNCEMENT_MS) : null
      const retired: string[] = []
      for (const kid of expiredKeys(keys, now())) if (await store.retire(kid, now())) retired.push(kid)
      if (made !== null || retired.length > 0) await read()
      assertUnlocked(keys, now())
      return { made: made === null ? [] : [made], retired }
    },
    async rotate (delay) {
      const kid = await add(delay)
      await read()
      return kid ?? await ring.rotate(delay)
    }
  }

  await read()
  assertUnlocked(keys, now())
  // Another process may have been faster.
  while (findSigner(keys, now()) === undefined) await add(0).then(read)
  if (youngest()?.alg !== signingAlg) await add(ANNOUNCEMENT_MS).then(read)
  assertUnlocked(keys, now())
  return ring
}

/** Decrypts keys with the current or the previous secret, and re-encrypts those of the previous one. */
function createUnseal (store: Pick<SigningKeys, 'reseal'>, secrets: Secrets) {
  const sealingKeys = deriveKeys(secrets, 'signing keys')
  const [sealingKey] = sealingKeys
  return {
    sealingKey,
    /** Resolves to `null` if neither secret decrypts the key. */
    async unseal (stored: StoredKey): Promise<Signer | null> {
      const { kid, privateJwe } = stored
      for (const key of sealingKeys) {
        const jwk = await unseal(privateJwe, key).catch(() => null)
        if (jwk === null) continue
        if (key !== sealingKey) await store.reseal(kid, privateJwe, await seal(jwk, sealingKey))
        return makeSigner(stored, jwk)
      }
      return null
    }
  }
}

/** The ids of published keys whose last token has expired. */
function expiredKeys (keys: readonly StoredKey[], now: Date): string[] {
  return describeKeys(keys, now).filter(({ state, signsUntil }) =>
    state === 'published' && signsUntil !== null && signsUntil.getTime() + KEPT_AFTER_LAST_USE_MS <= now.getTime()).map(({ kid }) => kid)
}

/** @throws LockedKeys if the current or an announced key cannot be decrypted */
function assertUnlocked (keys: readonly OpenKey[], now: Date): void {
  const upcoming = describeKeys(keys, now).filter(({ state }) => state === 'signing' || state === 'announced').map(({ kid }) => kid)
  const locked = keys.filter(({ kid, signer }) => signer === null && upcoming.includes(kid))
  if (locked.length > 0) throw new LockedKeys(locked.map(({ kid }) => kid))
}

/** Neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts these keys. */
class LockedKeys extends Error {
  constructor (kids: readonly string[]) {
    super(`The signing keys cannot be opened: SECRET_KEY is not the one they were made with. Set that one. (${kids.join(', ')})`)
  }
}
