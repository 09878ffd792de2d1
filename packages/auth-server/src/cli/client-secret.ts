import { hashOpaque, randomOpaque } from '../sign-in/opaque.js'
import type { ClientSecrets } from '../stores/client-secrets.js'
import { Refusal } from './refusal.js'
import { quote } from './text.js'

/** Makes a secret for an app: 256 random bits, of which only a hash is kept. @throws Refusal if it has two */
export async function addSecret (secrets: ClientSecrets, clientId: string): Promise<{ slot: number, secret: string }> {
  const secret = randomOpaque()
  const slot = await secrets.add({ clientId, hash: hashOpaque(secret), createdAt: new Date() })
  if (slot === null) throw new Refusal(`The app ${quote(clientId)} has two secrets, which is all that it can have. Remove one: frontdesk-auth client secret remove ${clientId} <slot>`)
  return { slot, secret }
}
