import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the stores of used ids and pushed requests can do. */
export async function useClientRequests (
  { spentIds, pushedRequests, removeExpired }: Pick<Stores, 'spentIds' | 'pushedRequests' | 'removeExpired'>,
  hence: (seconds: number) => Date
): Promise<void> {
  await spentIds.add('assertion-1', hence(60))
  await spentIds.add('assertion-1', hence(60))
  await spentIds.has('assertion-1')
  await removeExpired('spent id', hence(120))

  const request = { hash: 'pushed-1', clientId: 'app', sealed: 'x' }
  await pushedRequests.add(request)
  await pushedRequests.find(request.hash)
  await pushedRequests.remove(request.hash)
  await removeExpired('pushed request', hence(120))
}
