import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the store of device codes can do, for the client `app` and the person `person-1`. */
export async function useDeviceCodes ({ deviceCodes, removeExpired }: Pick<Stores, 'deviceCodes' | 'removeExpired'>, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + 60_000)
  const request = { clientId: 'app', scope: 'customer:read', audience: 'https://api.example', acrValues: '', maxAge: null }
  for (const id of ['1', '2', '2']) {
    await deviceCodes.add({ ...request, hash: `device-${id}`, userCodeHash: `user-${id}`, pollInterval: 5, createdAt: now, expiresAt })
  }
  await deviceCodes.find('user-1', now)
  const refreshToken = { hash: 'refresh-device', familyHash: 'family-device', expiresAt, endsAt: expiresAt }
  const yields = { refreshToken, grantEndsAt: expiresAt, tokensEndAt: expiresAt }
  const poll = async () => await deviceCodes.poll({ hash: 'device-1', clientId: 'app', audience: undefined }, yields, now)
  await poll()
  const grant = {
    ...request, id: 'grant-device', nonceHash: 'nonce-device', userId: 'person-1', responseType: 'device_code', createdAt: now, expiresAt, epoch: 0, isSilent: false
  }
  await deviceCodes.allow('user-1', grant, { authTime: now, amr: 'pwd' }, now)
  await deviceCodes.deny('user-2', now)
  await poll()
  await removeExpired('device code', new Date(now.getTime() + 86_400_000))
}
