import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the store of the keys of ID tokens can do. A key stays. */
export async function useIdTokenKeys ({ idTokenKeys }: Pick<Stores, 'idTokenKeys'>, now: Date): Promise<void> {
  const keys = idTokenKeys.of('ES256')
  const key = { alg: 'ES256', publicJwk: '{}', privateJwe: 'sealed', createdAt: now, signsFrom: now }
  await keys.add({ ...key, kid: 'id-token-key-1', generation: 1 })
  await keys.add({ ...key, kid: 'id-token-key-2', generation: 2 })
  await keys.reseal('id-token-key-1', 'sealed', 'sealed again')
  await keys.retire('id-token-key-1', now)
  await keys.list()
  await keys.now()
  await idTokenKeys.algsWithKeys()
  await idTokenKeys.algsInUse()
}
