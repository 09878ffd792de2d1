import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

type FactorStores = Pick<Stores, 'factors' | 'takeovers' | 'trustedBrowsers' | 'removeExpired'>

/** Uses the second factors of `person-1`. */
export async function useFactors ({ factors, takeovers, trustedBrowsers, removeExpired }: FactorStores, now: Date) {
  const user = { id: 'person-1', passwordHash: '$argon2id$', epoch: 0 }
  const anyone = { mayEnroll: () => true }
  const app = { id: 'app-1', secret: 'jwe', lastStep: 0, replaces: null, recoveryCodes: ['code-1', 'code-2'] }
  await factors.key.read()
  await factors.key.add('jwe')
  await factors.key.replace('jwe', 'another jwe')
  await factors.authenticators.enroll(user, app, anyone)
  await factors.authenticators.enroll(user, { ...app, id: 'app-2', replaces: 'app-1' }, anyone)
  await factors.authenticators.find('person-1')
  await factors.authenticators.use({ userId: 'person-1', id: 'app-2', step: 1 }, now)
  await factors.recoveryCodes.use('person-1', 'code-1')
  await factors.recoveryCodes.replace(user, ['code-3'])
  const passkey = { id: 'passkey-1', publicKey: 'key', counter: 0n, name: 'Phone' }
  await factors.passkeys.enroll(user, passkey, ['code-4'], anyone)
  await factors.passkeys.enroll(user, { ...passkey, id: 'passkey-2' }, [], anyone)
  await factors.passkeys.list('person-1')
  await factors.passkeys.find('passkey-1')
  await factors.passkeys.rename('person-1', 'passkey-1', 'Laptop')
  await factors.passkeys.claim('challenge-1', now)
  await factors.passkeys.use({ id: 'passkey-1', userId: 'person-1', counter: 1n }, now)
  await factors.removePasskey(user, 'passkey-1')
  await factors.find('person-1')
  await factors.standing('person-1')
  await factors.removeAll('Ann')
  const setUpLink = { idHash: 'set-up-link-1', keptUntil: Math.floor(now.getTime() / 1_000) + 60 }
  await factors.authenticators.enroll(user, { ...app, id: 'app-3' }, { ...anyone, link: setUpLink })
  const browser = { userAgent: null, createdAt: now, expiresAt: new Date(now.getTime() + 60_000) }
  for (const id of ['trusted-1', 'trusted-2']) await trustedBrowsers.add(user, { ...browser, id })
  await trustedBrowsers.use('person-1', 'trusted-1', now)
  await trustedBrowsers.list('person-1', now)
  await trustedBrowsers.end('person-1', 'trusted-1')
  await removeExpired('trusted browser', now)
  await factors.removeAuthenticator(user)
  await factors.removeAll('Ann')
  const link = { userId: 'person-3', keptUntil: now, mailedTo: 'ben@example.com' }
  await takeovers.stop({ ...link, idHash: 'link-1', factor: { kind: 'passkey', id: 'passkey-3' } }, '$argon2id$')
  await takeovers.stop({ ...link, idHash: 'link-2', factor: { kind: 'totp', id: 'app-3' } }, '$argon2id$')
}
