import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../../print.js'
import { record } from '../../record.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../../with-stores.js'

/** `client secret remove`: removes a secret, which is refused from then on. */
export function removeClientSecret (secret: Command): void {
  secret.command('remove <client_id> <slot>')
    .description('Remove a secret of an app. Tokens obtained with it stay valid.')
    .addOption(jsonOption('its slot'))
    .action(async (id: string, slot: string, options: PrintOptions) => await withStores(async stores => {
      const removed = /^[12]$/.test(slot) && await stores.clientSecrets.remove(id, Number(slot))
      if (!removed) {
        throw new CommandError(`The app ${quote(id)} has no secret ${quote(slot)}. To list them: frontdesk-auth client secret list ${id}`)
      }
      await record(stores, 'client secret remove', { clientId: id, details: { slot: Number(slot) } })
      print(options, { clientId: id, slot: Number(slot) }, `Removed the secret ${slot} of ${quote(id)}.`)
    }))
}
