import { list } from '@frontdesk/service-kit/cli/table'
import type { Command } from 'commander'
import { isSelfRegistered } from '../../oauth/identity.js'
import { jsonOption, print, stateOf, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'
import { fieldsOf } from './describe.js'
import { describeOmissions } from './optional-pkce.js'

/** `client list`: every app, by client_id. */
export function listClients (client: Command): void {
  client.command('list')
    .description('List the apps.')
    .addOption(jsonOption('the apps with all fields'))
    .action(async (options: PrintOptions) => await readStores(async ({ clients }) => {
      const all = await clients.list()
      const rows = all.map(app => {
        const state = `${stateOf(app)}${isSelfRegistered(app) ? ' (self-registered)' : ''}`
        return [app.id, state, app.createdAt.toISOString().slice(0, 10), app.name]
      })
      const table = list(['CLIENT ID', 'STATE', 'REGISTERED', 'NAME'], rows)
      print(options, all.map(fieldsOf), all.length === 0 ? 'No apps are registered.' : [table, ...describeOmissions(all)].join('\n'))
    }))
}
