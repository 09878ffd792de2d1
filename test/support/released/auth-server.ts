import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'
import { load } from '../load.js'
import { useClientRequests } from './client-requests.js'
import { useClientSessions } from './client-sessions.js'
import { useClients } from './clients.js'
import { useConsole } from './console.js'
import { useDeviceCodes } from './device-codes.js'
import { useFactors } from './factors.js'
import { useIdTokenKeys } from './id-token-keys.js'
import { useRoles } from './roles.js'
import { useProfiles } from './profiles.js'
import { useRegistrations } from './registrations.js'
import { useSignUps } from './sign-ups.js'
import { useUpstream } from './upstream.js'
import { useUserImport } from './user-import.js'
import type { Watch } from './watch.js'

/** Uses everything that auth-server's stores can do. @param url a database of its own, which is migrated */
export async function useAuthServer (url: string, watch: Watch): Promise<void> {
  const { openStores } = await load<{ openStores: (url: string) => Promise<Stores> }>('auth-server', 'stores/stores.js')
  const { recorded, ...others } = await openStores(url)
  const stores = watch(others)
  const { clients, users, sessions, grants, consents, codes, refreshTokens } = stores
  const { authorizedApps, revocations, signingKeys, throttles, leases, audit, auditSeals, adminRequests, implicitUses } = stores
  const now = new Date()
  const hence = (seconds: number) => new Date(now.getTime() + 1000 * seconds)
  await useClients(stores, now)
  await useClientRequests(stores, hence)

  await users.add({ id: 'person-1', username: 'Ann', passwordHash: '$argon2id$', demo: false })
  await users.add({ id: 'person-2', username: 'ann', passwordHash: '$argon2id$', demo: false })
  await users.find('ANN', 'app')
  await users.findForSignIn('ann@example.com', 'app')
  await users.byTime('newest', { limit: 10 })
  await users.list()
  await users.demo()
  await users.names(['person-1', 'person-2'])
  await useProfiles(stores)
  await useFactors(stores, now)
  await useIdTokenKeys(stores, now)
  await useUserImport(stores, now)
  await useRoles(stores)
  await useSignUps(stores, hence)
  await useUpstream(stores, now)

  const person = { id: 'person-1', username: 'Ann', passwordHash: '$argon2id$', foreignCost: null, passwordSetAt: null, termsVersion: null, termsAcceptedAt: null, demo: false, disabledAt: null, createdAt: now, epoch: 0 }
  await sessions.add({ idHash: 'session-1', user: person, authTime: now, amr: 'pwd', expiresAt: hence(60) })
  await sessions.add({ idHash: 'session-2', user: person, authTime: now, amr: 'pwd', expiresAt: hence(0) })
  await sessions.find('session-1', now)
  await sessions.see('session-1', hence(1), now)
  await sessions.see('session-1', hence(2), hence(2))
  await sessions.list('person-1', now)
  await stores.removeExpired('session', now)
  await sessions.remove('session-1')
  await sessions.add({ idHash: 'session-3', user: person, authTime: now, amr: 'pwd', expiresAt: hence(60), userAgent: 'A browser' })
  await sessions.end('person-1', 'session-3')
  await useClientSessions(stores, { idHash: 'session-4', user: person, authTime: now, amr: 'pwd', expiresAt: hence(60) })

  const grant = {
    id: 'grant-1',
    nonceHash: 'nonce-1',
    clientId: 'app',
    userId: 'person-1',
    responseType: 'token',
    scope: 'customer:read',
    audience: 'https://api.example',
    createdAt: now,
    expiresAt: hence(60),
    epoch: 0,
    isSilent: false
  }
  await grants.add(grant)
  await grants.add({ ...grant, id: 'grant-2' })
  await grants.findUserId('grant-1')
  await grants.add({ ...grant, id: 'grant-4', nonceHash: 'nonce-4', isSilent: true })
  await grants.isSpent('nonce-1')
  await grants.add({ ...grant, id: 'grant-3', nonceHash: 'nonce-3', expiresAt: hence(0) })
  await stores.removeExpired('grant', now)

  const consent = { userId: 'person-1', clientId: 'app', audience: 'https://api.example', scope: ['customer:read', 'customer:write'], allowedAt: now, nonceHash: 'nonce-1' }
  await consents.add(consent)
  await consents.add(consent)
  await consents.find(consent)

  const code = {
    hash: 'code-1',
    grantId: 'grant-1',
    clientId: 'app',
    userId: 'person-1',
    redirectUri: 'https://app.example/cb',
    callbackNamed: true,
    codeChallenge: 'challenge',
    scope: 'customer:read',
    audience: 'https://api.example',
    authTime: now,
    amr: 'pwd',
    createdAt: now,
    expiresAt: hence(60)
  }
  await codes.add(code)
  const first = { hash: 'refresh-1', familyHash: 'family-1', expiresAt: hence(60), endsAt: hence(600) }
  await codes.exchange(code, { refreshToken: first, grantEndsAt: hence(600), tokensEndAt: hence(60) }, now)
  await codes.find(code)
  await stores.removeExpired('code', now)
  await useConsole(stores, now)

  await useDeviceCodes(stores, now)
  await useRegistrations(stores, now)
  const refresh = { ...first, clientId: 'app', next: { salt: 'salt', hash: 'refresh-2' }, tokensEndAt: hence(60), now }
  await refreshTokens.peek(refresh)
  await refreshTokens.rotate(refresh)
  await refreshTokens.rotate(refresh)
  await refreshTokens.find({ ...first, hash: 'refresh-2' }, now)
  await refreshTokens.findFamily(first, now)
  await stores.removeExpired('refresh token', hence(3600))

  await authorizedApps.of('person-1', now, 600)
  await authorizedApps.lastUses('app', ['person-1'])
  await authorizedApps.scope({ userId: 'person-1', clientId: 'app', audience: 'https://api.example' })
  await authorizedApps.remove('person-1', 'app')
  await revocations.add({ id: 'grant-1', revokedAt: now, endsAt: hence(60) })
  await revocations.add({ id: 'grant-1', revokedAt: now, endsAt: hence(60) })
  await revocations.after({ revokedAt: now, id: '' }, 500)
  await revocations.has(['grant-1', 'grant-2'])
  await revocations.covers({ iss: '', aud: '', scope: '', sub: 'person-1', client_id: 'app', jti: 'token-1', iat: 0, exp: 0 })
  await stores.removeExpired('revocation', now)

  await signingKeys.list()
  const key = { kid: 'key-1', generation: 1, alg: 'ES256', publicJwk: '{}', privateJwe: 'sealed', createdAt: now, signsFrom: now }
  await signingKeys.add(key)
  await signingKeys.add({ ...key, kid: 'key-2' })
  await signingKeys.reseal('key-1', 'sealed', 'sealed anew')
  await signingKeys.list()

  await signingKeys.now()
  await signingKeys.retire('key-1', now)

  await stores.clock.settled()
  stores.clock.now()
  stores.clock.ahead()
  await leases.take('clean-up', 'replica')

  const row = { id: '01900000-0000-7000-8000-000000000001', at: now, event: 'sign-in', outcome: 'wrong', userId: null, clientId: 'app', source: '192.0.2.1', requestId: 'r', details: {} }
  await audit.add([row])
  await audit.add([row])
  await audit.list({ since: now, event: 'sign-in', userId: 'person-1', clientId: 'app', requestId: 'r', before: row.id }, 10)
  await audit.find(row.id)
  await audit.page({ outcome: 'wrong', source: '192.0.2.1', until: now }, 10)
  await recorded(() => [{ ...row, id: '01900000-0000-7000-8000-000000000002' }]).clients.change('app', { name: 'An app' })
  await recorded(() => [], { kind: 'user', userId: 'person-1', roles: [] }, { id: 'request', fingerprint: 'body', expiresAt: now }).clients.change('app', { name: 'An app' })
  await adminRequests.find('request')
  await adminRequests.answer('request', 'sealed')
  await audit.count()
  const sealKey = new Uint8Array(32)
  await auditSeals.key.read()
  await auditSeals.key.add('sealed')
  await auditSeals.key.replace('sealed', 'sealed anew')
  const seal = await auditSeals.sealNext(sealKey, now)
  await auditSeals.find(1)
  await auditSeals.list(0, 10)
  await auditSeals.rowsOf(seal!, 10)
  await auditSeals.hasRowsBefore(seal!)
  await auditSeals.state()
  await audit.add([{ ...row, id: '01900000-0000-7000-8000-000000000003' }], { maxRows: 2, key: sealKey })
  await audit.trim({ maxRows: 1, key: sealKey }, 500)
  await auditSeals.sealNext(sealKey, now)
  await audit.sweep(now, 500, sealKey)
  await auditSeals.removeEmpty(sealKey, 10)
  const use = { clientId: 'app', week: '2026-W47', uses: 1, firstAt: now, lastAt: now }
  await implicitUses.add([use])
  await implicitUses.add([use])
  await implicitUses.list()
  await implicitUses.of(['app'])
  await implicitUses.seen('app', now)

  const throttle = throttles.under({ name: 'account', points: 1, duration: 60 })
  await throttle.count('ann')
  await throttle.count('ann')
  await throttle.takeBack('ann')
  await throttle.reset('ann')
  await throttle.count('ann')
  await stores.removeExpired('throttle', hence(120))

  await users.setPassword('ann', '$argon2id$v=19')
  await users.changePassword({ ...person, passwordHash: '$argon2id$v=19', epoch: 1 }, '$argon2id$')
  await users.endAccess('person-1')
  await users.noteSignIn('person-1')
  await users.storedData('ann', now)
  await users.rename('ann', 'Anna')
  await users.setDisabled('ann', now)
  await users.setDisabled('ann', null)
  await users.remove('anna')
  await clients.issuable('app')
  await clients.revoke('app')
  await clients.remove('app')
  await stores.ping()
  stores.pool()
  stores.queueAge()
  await stores.close()
}
