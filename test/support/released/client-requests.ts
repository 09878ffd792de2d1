import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the stores of assertions and pushed requests can do. */
export async function useClientRequests (
  { clientAssertions, pushedRequests, removeExpired }: Pick<Stores, 'clientAssertions' | 'pushedRequests' | 'removeExpired'>,
  hence: (seconds: number) => Date
): Promise<void> {
  await clientAssertions.add('assertion-1', hence(60))
  await clientAssertions.add('assertion-1', hence(60))
  await clientAssertions.has('assertion-1')
  await removeExpired('client assertion', hence(120))

  const request = { hash: 'pushed-1', clientId: 'app', sealed: 'x' }
  await pushedRequests.add(request)
  await pushedRequests.find(request.hash)
  await pushedRequests.remove(request.hash)
  await removeExpired('pushed request', hence(120))
}
