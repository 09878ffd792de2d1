import type { Test } from 'tap'
import type { Client } from '../../../src/oauth/client.js'
import type { Registration } from '../../../src/stores/clients/registrations.js'
import { openStores } from '../../../src/stores/stores.js'
import { codeClient } from '../code-flow.js'
import { longTimeouts, temporaryDatabase } from '../database.js'
import { registered } from '../oauth/client.js'

export const now = new Date()
const DAY_MS = 24 * 60 * 60_000
export const after = (days: number) => new Date(now.getTime() + days * DAY_MS)
export const hundred = Array.from({ length: 100 }, (_, i) => i)
export const count = (outcomes: readonly unknown[], wanted: unknown) => outcomes.filter(it => it === wanted).length

/** A database with the person Ann, and what registers and uses apps there. */
export async function begin (t: Test) {
  const url = await temporaryDatabase(t)
  // A crowd on a busy machine waits for connections and row locks.
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const { registrations, registrationTokens } = stores
  const token = (id: string, usesLeft = 1) =>
    registrationTokens.add({ id, hash: `hash ${id}`, usesLeft, grantTypes: ['authorization_code'], allowedScope: null, createdAt: now, expiresAt: after(7) })
  const register = (id: string, changes: Partial<Registration> = {}, at = now) => registrations.register({
    client: codeClient({ id }), registrableGrants: ['authorization_code', 'refresh_token'], registrationHash: `manages ${id}`, firstSecret: null, tokenHash: undefined, ...changes
  }, at)
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  const use = async (id: string, at = now, changes: Partial<Client> = {}, userId = 'ann') =>
    await registrations.use(registered({ id, registeredBy: 'open', implicit: 'off', ...changes }), userId, at)
  return { url, stores, ...stores, token, register, use }
}
