import type { Command } from 'commander'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownClientError } from './describe.js'

/** `client remove`: deletes an app and its callbacks. */
export function removeClient (client: Command): void {
  client.command('remove <client_id>')
    .description('Permanently remove an app. Its access ends within ten seconds.')
    .option('--yes', 'skip the confirmation; required without a terminal')
    .addOption(jsonOption('the removed app'))
    .action(async (id: string, options: PrintOptions & { yes?: true }) => await withStores(async stores => {
      const { clients } = stores
      const app = await clients.find(id)
      if (app === null) throw unknownClientError(id, await clients.list())
      if (!options.yes) await confirm(`Permanently remove the app ${quote(id)} (${app.name})?`)
      if (!await clients.remove(id)) throw unknownClientError(id)
      await record(stores, 'client remove', { clientId: id })
      print(options, fieldsOf(app), `Removed the app ${quote(id)}. Its access ends within ten seconds.`)
    }))
}
