import { quote } from '@frontdesk/service-kit/showable'
import { hasSecret, storedSecret } from '../registration/credentials.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { conflict, unknown } from './refusal.js'
import { findChangeable, findClient } from './unknown.js'
import { reason } from '../languages/reason.js'

type SecretStores = Pick<Stores, 'clients' | 'clientSecrets'> & Recording

/** A new secret: only its hash is stored. */
interface NewSecret { readonly clientId: string, readonly slot: number, readonly secret: string }

/** Adds a secret, so that the old one can be removed once nothing uses it. @throws Refusal */
export async function addSecret (stores: SecretStores, clientId: string, by: Actor): Promise<NewSecret> {
  const client = await findChangeable(stores, clientId, by)
  if (!hasSecret(client)) {
    const { tokenEndpointAuthMethod: method } = client
    throw conflict('tokenEndpointAuthMethod', reason('reason.client-no-secret', { id: quote(clientId), method }))
  }
  const { clientSecrets } = recorded(stores, 'client secret add', slot => ({ clientId, details: { slot } }), by)
  const secret = randomOpaqueToken()
  const slot = await clientSecrets.add({ clientId, ...storedSecret(secret, stores.clock.now()) })
  if (slot === null) throw conflict('slot', reason('reason.client-secrets', { id: quote(clientId) }))
  return { clientId, slot, secret }
}

/** When each secret of a client was created, by slot. @throws Refusal */
export async function listSecrets (
  stores: Pick<Stores, 'clients' | 'clientSecrets'>, clientId: string
): Promise<Array<{ clientId: string, slot: number, createdAt: Date }>> {
  await findClient(stores, clientId)
  return (await stores.clientSecrets.list(clientId)).map(({ slot, createdAt }) => ({ clientId, slot, createdAt }))
}

/** Removes a secret, which is refused from then on. @throws Refusal */
export async function removeSecret (
  stores: SecretStores, clientId: string, slot: string, by: Actor
): Promise<Pick<NewSecret, 'clientId' | 'slot'>> {
  await findChangeable(stores, clientId, by)
  const details = { slot: Number(slot) }
  const { clientSecrets } = recorded(stores, 'client secret remove', { clientId, details }, by)
  const removed = /^[12]$/.test(slot) && await clientSecrets.remove(clientId, details.slot)
  if (!removed) throw unknown('slot', reason('reason.client-unknown-secret', { id: quote(clientId), slot: quote(slot) }))
  return { clientId, ...details }
}
