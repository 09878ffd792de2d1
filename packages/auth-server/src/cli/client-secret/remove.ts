import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { Refusal } from '../refusal.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'

/** `client secret remove`: a secret counts no more from now on. */
export function removeClientSecret (secret: Command): void {
  secret.command('remove <client_id> <slot>')
    .description('Remove a secret of an app. What it has been used for stays.')
    .addOption(jsonOption('which one'))
    .action(async (id: string, slot: string, options: PrintOptions) => await withStores(async stores => {
      const there = /^[12]$/.test(slot) && await stores.clientSecrets.remove(id, Number(slot))
      if (!there) throw new Refusal(`There is no secret ${quote(slot)} of an app ${quote(id)}. To see them: frontdesk-auth client secret list ${id}`)
      await record(stores, 'client secret remove', { clientId: id, details: { slot: Number(slot) } })
      print(options, { clientId: id, slot: Number(slot) }, `Removed the secret ${slot} of ${quote(id)}.`)
    }))
}
