import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the store of sessions at apps can do, for the client `app` and the person `person-1`, in a live session. */
export async function useClientSessions (
  { clientSessions, clients, sessions, removeExpired }: Pick<Stores, 'clientSessions' | 'clients' | 'sessions' | 'removeExpired'>,
  session: Parameters<Stores['sessions']['add']>[0]
): Promise<void> {
  const endsAt = session.expiresAt
  await clients.change('app', { backchannelLogoutUri: 'https://app.example/logout' })
  await sessions.add(session)
  await clientSessions.begin({ id: session.idHash, sid: session.idHash }, { clientId: 'app', epoch: 0, endsAt })
  await clientSessions.beginOnDevice('grant-device', session.user.id, { clientId: 'app', epoch: 1, endsAt })
  await sessions.remove(session.idHash)
  const [ended] = await clientSessions.claim([])
  if (ended === undefined) throw new Error('The logout token of a session that was removed is not due.')
  await clientSessions.retry(ended, new Date(0))
  await clientSessions.claim(['app'])
  await clientSessions.finish(ended)
  await clientSessions.end('unknown')
  await clients.revoke('app')
  await clientSessions.markEnded()
  await removeExpired('client session', endsAt)
  await clients.change('app', { backchannelLogoutUri: null })
}
