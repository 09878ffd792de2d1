import { hashOpaqueToken, randomOpaqueToken } from '../../../sign-in/opaque-token.js'
import type { Stores } from '../../../stores/stores.js'
import { Refusal } from '../../refusal.js'
import { quote } from '../../text.js'

/** Creates a secret for an app: 256 random bits; only the hash is stored. @throws Refusal if it has two */
export async function addSecret ({ clientSecrets, clock }: Pick<Stores, 'clientSecrets' | 'clock'>, clientId: string): Promise<{ slot: number, secret: string }> {
  const secret = randomOpaqueToken()
  const slot = await clientSecrets.add({ clientId, hash: hashOpaqueToken(secret), createdAt: clock.now() })
  if (slot === null) throw new Refusal(`The app ${quote(clientId)} already has two secrets. Remove one: frontdesk-auth client secret remove ${clientId} <slot>`)
  return { slot, secret }
}
