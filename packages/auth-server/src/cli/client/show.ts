import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'
import { describe, fieldsOf, unknownClientError } from './describe.js'

/** `client show`: all fields of an app. */
export function showClient (client: Command): void {
  client.command('show <client_id>')
    .description('Show an app with all its fields.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => await readStores(async ({ clients }) => {
      const app = await clients.find(id)
      if (app === null) throw unknownClientError(id, await clients.list())
      print(options, fieldsOf(app), describe(app))
    }))
}
