import type { Command } from 'commander'
import { hashOpaqueToken, randomOpaqueToken } from '../../../sign-in/opaque-token.js'
import type { Stores } from '../../../stores/stores.js'
import { hasSecret } from '../../../registration/credentials.js'
import { unknownClientError } from '../describe.js'
import { jsonOption, print, type PrintOptions } from '../../print.js'
import { record } from '../../record.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../../with-stores.js'

/** `client secret add`: adds a secret, so that the old one can be removed once nothing uses it. */
export function addClientSecret (secret: Command): void {
  secret.command('add <client_id>')
    .description('Add a secret to an app, which can have two.')
    .addOption(jsonOption('the secret'))
    .action(async (id: string, options: PrintOptions) => await withStores(async stores => {
      const { clients } = stores
      const app = await clients.find(id)
      if (app === null) throw unknownClientError(id, await clients.list())
      if (!hasSecret(app)) {
        throw new CommandError(`The app ${quote(id)} authenticates with ${app.tokenEndpointAuthMethod}: it has no secret.`)
      }
      const { slot, secret } = await addSecret(stores, id)
      await record(stores, 'client secret add', { clientId: id, details: { slot } })
      print(options, { clientId: id, slot, secret }, `Secret ${slot} of ${quote(id)}, shown only now: ${secret}`)
    }))
}

/** Creates a secret for an app: 256 random bits; only the hash is stored. @throws CommandError if it has two */
export async function addSecret (
  { clientSecrets, clock }: Pick<Stores, 'clientSecrets' | 'clock'>,
  clientId: string
): Promise<{ slot: number, secret: string }> {
  const secret = randomOpaqueToken()
  const slot = await clientSecrets.add({ clientId, hash: hashOpaqueToken(secret), createdAt: clock.now() })
  if (slot === null) {
    throw new CommandError(
      `The app ${quote(clientId)} already has two secrets. Remove one: frontdesk-auth client secret remove ${clientId} <slot>`
    )
  }
  return { slot, secret }
}
