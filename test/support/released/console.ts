import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses what the console stores and counts. */
export async function useConsole (
  { consoleSessions, counters, removeExpired, overview }: Pick<Stores, 'consoleSessions' | 'counters' | 'removeExpired' | 'overview'>, now: Date
): Promise<void> {
  await consoleSessions.start({ codeHash: 'code-1', codeChallenge: 'challenge', idHash: 'console-1' }, now)
  await consoleSessions.find('console-1', now)
  await consoleSessions.see('console-1', new Date(now.getTime() + 1000))
  await consoleSessions.end('console-1')
  await removeExpired('console session', now)
  await overview.signIns(now)
  await overview.newUsers(now)
  await overview.implicitClients(now)
  await overview.selfRegistered()
  await overview.clients()
  await overview.logoutFailures()
  await overview.users()
  await overview.outcomes('mail', now)
  await counters.find('sign-in')
  await counters.remove('sign-in')
}
