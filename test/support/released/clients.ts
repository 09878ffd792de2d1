import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the stores of clients can do. */
export async function useClients (
  { clients, clientLogos, clientSecrets }: Pick<Stores, 'clients' | 'clientLogos' | 'clientSecrets'>, now: Date
): Promise<void> {
  const hence = (seconds: number) => new Date(now.getTime() + 1_000 * seconds)
  const client = {
    id: 'app',
    name: 'An app',
    callbacks: ['https://app.example/cb', 'https://app.example/other'],
    postLogoutRedirectUris: ['https://app.example/out'],
    resources: ['https://api.example'],
    defaultScope: 'customer:read',
    accessTokenTtl: 60,
    implicit: 'allowed',
    demo: false
  } as const
  await clients.add(client)
  await clients.add(client)
  await clients.put({ ...client, callbacks: ['https://app.example/new'], resources: [] })
  await clients.put({ ...client, id: 'second', demo: true })
  await clients.apply({ put: [{ ...client, id: 'third', disabledAt: null }], removed: ['second'] })
  await clients.change('app', { name: 'Another app', callbacks: ['https://app.example/cb'], resources: ['https://api.example'], grantTypes: ['authorization_code'] })
  await clients.change('unknown', { name: 'Unknown' })
  await clients.setDisabled('app', now)
  await clients.setDisabled('app', null)
  await clients.setImplicit('app', { implicit: 'until', implicitUntil: hence(60) }, now)
  await clients.setImplicit('app', { implicit: 'allowed', implicitUntil: null }, now)
  await clients.find('app')
  await clients.list()
  await clients.demo()
  await clients.page({ search: 'APP', isDisabled: false, isSelfRegistered: false, after: '', limit: 10 })
  await clients.ids(10)
  await clients.hasOrigin('https://app.example')

  const logo = { type: 'image/png', name: `${'x'.repeat(43)}.png`, content: Buffer.from('\x89PNG\r\n\x1A\n', 'latin1') }
  await clients.change('app', { logo })
  await clientLogos.find(logo.name)
  await clientLogos.list()

  await clientSecrets.add({ clientId: 'app', hash: 'secret-1', createdAt: now })
  await clientSecrets.add({ clientId: 'app', hash: 'secret-2', createdAt: now })
  await clientSecrets.owners()
  await clientSecrets.list('app')
  await clientSecrets.has('app', 'secret-2')
  await clientSecrets.remove('app', 1)
}
