import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'
import { load } from '../load.js'

const { DEFAULTS } = await load<typeof import('../../../packages/auth-server/src/stores/clients/client-row.js')>('auth-server', 'stores/clients/client-row.js')

/** Uses everything that the stores of apps that register themselves can do. */
export async function useRegistrations (
  stores: Pick<Stores, 'clients' | 'registrations' | 'registrationTokens' | 'clientDocuments' | 'removeExpired'>, now: Date
): Promise<void> {
  const { clients, registrations, registrationTokens, clientDocuments } = stores
  const hence = (seconds: number) => new Date(now.getTime() + 1_000 * seconds)
  const token = { id: '1', hash: 'initial', usesLeft: 1, grantTypes: ['authorization_code'], allowedScope: null, createdAt: now, expiresAt: hence(60) }
  await registrationTokens.add(token)
  await registrationTokens.find('initial', now)
  await registrationTokens.list()
  const client = {
    id: 'self', name: 'An app', callbacks: ['https://self.example/cb'], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'off', demo: false
  } as const
  await registrations.register({ client, registrableGrants: ['authorization_code'], registrationHash: 'manages', firstSecret: { hash: 'secret', createdAt: now }, tokenHash: 'initial' }, now)
  await registrations.register({ client: { ...client, id: 'open' }, registrableGrants: ['authorization_code'], registrationHash: 'manages', firstSecret: null, tokenHash: undefined }, now)
  await registrations.find('self', 'manages')
  const self = {
    ...DEFAULTS,
    ...client,
    registeredBy: 'token',
    withoutPkceAt: null,
    pairwiseSalt: null,
    logoName: null,
    usedAt: null,
    disabledAt: null,
    createdAt: now
  } as const
  await registrations.use(self, 'person-1', now)
  await registrations.use({ ...self, id: 'https://app.example/client.json', registeredBy: 'document' }, 'person-1', now)
  // as: it was just allowed.
  const described = (await clients.read('https://app.example/client.json'))!
  await clientDocuments.renew({ ...described, documentFetchedAt: now, documentFreshUntil: hence(60) })
  await clientDocuments.end(described.id, now)
  await registrations.makeRoom('person-1', now)
  await registrations.isAllowed('self')
  const change = { name: 'Another app', callbacks: ['https://self.example/new'], grantTypes: ['authorization_code'], firstSecret: null }
  await registrations.replace({ clientId: 'self', shown: { hash: 'manages', isCurrent: true }, registrationHash: 'next', change })
  await registrations.renew('self', 'manages', 'renewed')
  await registrations.remove('self', 'renewed')
  await registrations.sweep(hence(2 * 86_400), 500)
  await stores.removeExpired('registration token', hence(120))
  await registrationTokens.remove('1')
}
