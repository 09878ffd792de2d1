import { randomUUID } from 'node:crypto'
import type { NewClient } from '../../../src/stores/clients/client-row.js'
import type { Stores } from '../../../src/stores/stores.js'
import { codeClient } from '../code-flow.js'

const EVER = new Date('2100-01-01T00:00:00Z')

/** Registers an app that gets logout tokens. */
export async function register (stores: Stores, id: string, uri: string, changes: Partial<NewClient> = {}): Promise<void> {
  await stores.clients.put(codeClient({ id, backchannelLogoutUri: uri, idTokenSignedResponseAlg: 'ES256', ...changes }))
}

/** Signs Ann in with another browser, where these apps get ID tokens. Returns the id of the session. */
export async function startSession (stores: Stores, clientIds: readonly string[] = []): Promise<string> {
  const [idHash, user] = [randomUUID(), await stores.users.find('ann')]
  await stores.sessions.add({ idHash, user: user!, authTime: new Date(), amr: 'pwd', expiresAt: EVER })
  for (const clientId of clientIds) await begin(stores, idHash, clientId, user!.epoch)
  return idHash
}

/** Records that an app gets ID tokens of a session. */
export async function begin (stores: Stores, idHash: string, clientId: string, epoch: number): Promise<boolean> {
  return await stores.clientSessions.begin({ id: idHash, sid: idHash }, { clientId, epoch, endsAt: EVER })
}
