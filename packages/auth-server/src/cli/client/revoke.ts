import type { Command } from 'commander'
import { fieldsOf, unknownClientError } from './describe.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'

/** `client revoke`: revokes every code and token of an app, which stays enabled; for a leaked secret. */
export function revokeClient (client: Command): void {
  client.command('revoke <client_id>')
    .description('Revoke all codes, refresh tokens and access tokens of an app, which stays enabled.')
    .addOption(jsonOption('the app'))
    .addHelpText('after', `
After a secret has leaked:
  frontdesk-auth client secret add <client_id>
  frontdesk-auth client secret remove <client_id> <slot>
  frontdesk-auth client revoke <client_id>`)
    .action(async (id: string, options: PrintOptions) => await withStores(async stores => {
      const { clients } = stores
      const app = await clients.revoke(id) ? await clients.find(id) : null
      if (app === null) throw unknownClientError(id, await clients.list())
      await record(stores, 'client revoke', { clientId: id })
      print(options, fieldsOf(app), `Revoked all tokens of the app ${quote(id)}. Its access ends within ten seconds.`)
    }))
}
